// SQL that reads single values out of a stored document. Documents are text, and most of them end before
// their address, which the server adds, so PostgreSQL cannot parse them. A quote inside a text is written \",
// so no text from a feed can look like a member.

const jsonText = String.raw`"(?:[^"\\]|\\.)*"`;

/** The name of a club or tournament, as JSON. */
export const nameInDocument = `substring(document from '^\\{"slug":"[^"]*","name":(${jsonText})')`;

/**
 * The name of a participant who is not a registered player, as JSON. For an erased one it is "Deleted
 * player".
 */
export const guestInDocument = `substring(document from '^\\{"player":(${jsonText}),"playerId":null')`;

/** Returns the name that one of these found, or undefined if somebody damaged the document by hand. */
export function nameFrom(json: string | null): string | undefined {
  try {
    return json === null ? undefined : (JSON.parse(json) as string);
  } catch {
    return undefined;
  }
}

/** The first player's id, or null if there is none. */
export const playerInDocument = `substring(document from '"playerId":"([^"]+)"')`;

/** The ids of all players. */
export const playersInDocument = `array(select found[1] from regexp_matches(document, '"playerId":"([^"]+)"', 'g') found)`;
