import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors, unknownStage } from '../../contract/errors.ts';
import { sendAnswer } from './answer.ts';
import { standingsOfTournament } from '../documents/items.ts';
import type { Row } from '../documents/reader.ts';
import type { PageParts } from './page.ts';
import { RefusedRequest } from './errors.ts';

interface StandingsRow extends Row {
  stages: string[];
  document: string | null;
}

/** Sends the standings of one stage, or of the default stage. The published document is the whole answer. */
export async function sendStandings(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PageParts,
  slug: string,
  stage: string | undefined,
): Promise<FastifyReply> {
  const scope = `tournament:${slug}` as const;
  return sendAnswer(request, reply, parts, {
    identity: [`/api/v1/tournaments/${slug}/standings`, stage ?? null],
    scope,
    read: async ({ held, ...query }) => {
      const { rows, isKeepable } = await parts.documents.read<StandingsRow>({
        ...query,
        scope,
        statement: standingsOfTournament,
        // PostgreSQL refuses text with a NUL. No stage has one.
        values: [slug, held, stage?.replaceAll('\0', '?') ?? null],
      });
      const [row] = rows;
      if (row === undefined) throw new RefusedRequest(errors.tournamentNotFound);
      if (row.stages.length === 0) throw new RefusedRequest(errors.noStages);
      if (stage !== undefined && !row.stages.includes(stage))
        throw new RefusedRequest(unknownStage(row.stages));

      const { revision, document } = row;
      if (held === null || held.includes(revision)) return { revision, content: undefined, isKeepable };
      if (document === null) throw new Error(`tournament ${slug} has a stage without standings`);
      return { revision, content: document, isKeepable };
    },
  });
}
