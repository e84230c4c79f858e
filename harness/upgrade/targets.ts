import assert from 'node:assert/strict';

interface Item {
  slug?: string;
  id?: string;
  playerId?: string | null;
  organizer?: string | null;
}

interface Answer {
  target: string;
  status: number;
  etag: string | null;
  body: string;
}

const api = '/api/v1';

/** Returns requests to every endpoint, about some tournaments and the given ones. */
export async function targetsOf(
  origin: string,
  headers: Record<string, string>,
  ...slugs: string[]
): Promise<string[]> {
  const list = async (target: string): Promise<Item[]> => {
    const [answer] = await answersOf(origin, [target], headers);
    assert.equal(answer?.status, 200, target);
    return (JSON.parse(answer.body) as { data: Item[] }).data;
  };
  const targets = ['', '?limit=3', '?status=finished', '?from=2026-01-01&to=2026-09-30'].map(
    (query) => `${api}/tournaments${query}`,
  );
  const clubs = new Set<string>();
  for (const { slug = '', organizer } of await list(`${api}/tournaments?status=finished&limit=6`)) {
    slugs.push(slug);
    if (organizer) clubs.add(organizer);
  }
  for (const slug of slugs) {
    const at = `${api}/tournaments/${slug}`;
    targets.push(at, `${at}/standings`, `${at}/participants`, `${at}/battles`, `${at}/battles?limit=5`);
    const battles = await list(`${at}/battles?limit=2`);
    targets.push(...battles.map(({ id }) => `${api}/battles/${id}`));
    const players = (await list(`${at}/participants`)).flatMap(({ playerId }) => playerId ?? []);
    targets.push(...players.slice(0, 2).map((id) => `${api}/users/${id}/battles`));
  }
  assert.ok(clubs.size > 0, 'no club runs any of these tournaments');
  for (const slug of clubs) {
    const at = `${api}/clubs/${slug}`;
    targets.push(at, `${at}/tournaments`, `${at}/battles`);
  }
  for (const { target, status } of await answersOf(origin, targets, headers))
    assert.equal(status, 200, target);
  return targets;
}

export async function answersOf(
  origin: string,
  targets: string[],
  headers: Record<string, string>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const target of targets) {
    const response = await fetch(`${origin}${target}`, { headers });
    const { status } = response;
    answers.push({ target, status, etag: response.headers.get('etag'), body: await response.text() });
  }
  return answers;
}
