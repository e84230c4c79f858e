import { Type, type Static } from 'typebox';
import { slugPattern } from '../contract/patterns.ts';

/** One line of a feed. A club so far; the other facts follow. */
export const FeedRecord = Type.Object(
  {
    kind: Type.Literal('club'),
    slug: Type.String({ pattern: slugPattern }),
    name: Type.String({ minLength: 1 }),
    description: Type.Optional(Type.String()),
    city: Type.Optional(Type.String({ minLength: 1 })),
    country: Type.Optional(Type.String({ minLength: 1 })),
    website: Type.Optional(Type.String({ format: 'uri' })),
    members: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
);
export type FeedRecord = Static<typeof FeedRecord>;
