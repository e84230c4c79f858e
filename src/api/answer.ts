import type { Answer } from '../http/call.ts';
import { etagOf, revisionsHeld } from '../http/etag.ts';
import { RefusedRequest } from '../http/refused.ts';
import type { AnswerCache } from '../read/answer-cache.ts';
import type { Reader, Row } from '../read/reader.ts';
import type { ApiCall } from './call.ts';
import { jsonContentType, vary } from './errors.ts';
import type { Plan } from './plan.ts';

export interface AnswerParts {
  reader: Reader;
  answers: AnswerCache;
}

const headers = { 'cache-control': 'private, no-cache', vary };

/** Answers a plan from the cache or, on a miss, from a database. */
export async function answerPlan(
  { reader, answers }: AnswerParts,
  call: ApiCall,
  { identity, scope, statement, ...plan }: Plan,
): Promise<Answer> {
  const wanted = call.message.headers;
  const key = JSON.stringify(identity);
  const found = await answers.answer({
    key,
    wanted,
    scope,
    held: revisionsHeld(wanted['if-none-match'], identity),
    asker: call,
    read: async ({ held, ...query }) => {
      const values = plan.values(held);
      const { rows, shown, isKeepable } = await reader.read<Row>({
        ...query,
        scope,
        statement,
        values,
        alsoShown: plan.alsoShown,
      });
      const [row] = rows;
      if (row === undefined) throw new RefusedRequest(plan.notFound);
      plan.check?.(row);
      const isHeld = held === null || held.includes(row.revision);
      const content = isHeld ? undefined : plan.content(row, rows);
      const also = shown.slice(1).map((each) => `${each.scope} ${each.revision}`);
      const etag = etagOf([...identity, ...also], row.revision);
      return { etag, headers, type: jsonContentType, scopes: shown, content, isKeepable };
    },
  });
  return { ...found, kept: { key, until: plan.until } };
}
