import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors, unknownStage } from '../../contract/errors.ts';
import { sendAnswer, sendNotModified } from './answer.ts';
import { standingsOfTournament } from '../documents/items.ts';
import type { Documents, Row } from '../documents/reader.ts';
import { RefusedRequest } from './errors.ts';
import { revisionsHeld } from '../http/etag.ts';

interface StandingsRow extends Row {
  stages: string[];
  document: string | null;
}

/** Sends the standings of one stage, or of the default stage. The published document is the whole answer. */
export async function sendStandings(
  request: FastifyRequest,
  reply: FastifyReply,
  documents: Documents,
  slug: string,
  stage: string | undefined,
): Promise<FastifyReply> {
  const identity = [`/api/v1/tournaments/${slug}/standings`, stage ?? null];
  const held = revisionsHeld(request.headers['if-none-match'], identity);
  // PostgreSQL refuses text with a NUL. No stage has one.
  const values = [slug, held, stage?.replaceAll('\0', '?') ?? null];
  const [row] = await documents.read<StandingsRow>(
    request.signal,
    `tournament:${slug}`,
    standingsOfTournament,
    values,
  );
  if (row === undefined) throw new RefusedRequest(errors.tournamentNotFound);
  if (row.stages.length === 0) throw new RefusedRequest(errors.noStages);
  if (stage !== undefined && !row.stages.includes(stage)) throw new RefusedRequest(unknownStage(row.stages));

  const { revision, document } = row;
  if (held === null || held.includes(revision)) return sendNotModified(reply, identity, revision);
  if (document === null) throw new Error(`tournament ${slug} has a stage without standings`);
  return sendAnswer(request, reply, identity, revision, document);
}
