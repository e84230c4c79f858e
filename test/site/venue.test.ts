import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { languages } from '../../src/text/languages.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { eventually, startTestServer } from '../../harness/support/server.ts';
import { moments, players, says } from './scripted-event.ts';
import { assertValidHtml } from './valid-html.ts';

const database = await createTestDatabase();
const server = await startTestServer(await database.loginAs('wartable_serve'));
await publishFeed(database.pool, players);

async function page(path: string): Promise<string> {
  const answer = await fetch(`${server.siteUrl}${path}`);
  assert.equal(answer.status, 200, path);
  const text = await answer.text();
  await assertValidHtml(text, path);
  return text;
}

const words = (text: string) =>
  text
    .replaceAll(/<\/?bdi>|<p [^>]* hidden>[^<]*/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('The numbers after the names are victory points.', '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Returns the text between two pieces of HTML, wherever the first one occurs. */
const between = (text: string, first: string, last: string) =>
  text
    .split(first)
    .slice(1)
    .map((part) => words(part.slice(part.indexOf('>') + 1).split(last)[0] ?? ''));

/** Returns what the first page says about the games, without the hour. */
async function saysFirst(path: string): Promise<Said> {
  const text = (await page(path)).replaceAll(/\d\d:\d\d UTC/g, 'HH:MM UTC');
  const [facts = ''] = /<p class="facts">.*?<\/p>/s.exec(text) ?? [];
  const [board = ''] = between(text, '<section class="standings', '<tbody');
  return {
    state: between(text, '<p class="state"', '</p>'),
    // The other facts never change.
    facts: [...facts.matchAll(/<span(?: class="opt lead")?>(.*?)<\/span>/gs)].map(([, fact = '']) =>
      words(fact),
    ),
    now: between(text, '<section class="now', '</section>'),
    board: board.replace(/ #.*$/, ''),
    notPlaying: between(text, '<tbody class="out"', '</tbody>'),
    penalties: between(text, '<li class="warn"', '</li>'),
  };
}

/** Returns what a person with a phone at the venue reads on the other pages. */
async function read(slug: string) {
  const rounds = await page(`/tournaments/${slug}/rounds`);
  const bracket = slug === 'groups' ? '' : await page(`/tournaments/${slug}?stage=knockout`);
  return {
    rounds: between(rounds, '<h2 id="round"', '</main>').map((text) =>
      text
        .replaceAll(/https:\S+|By table A–Z/g, '')
        .replaceAll(/ +/g, ' ')
        .trim(),
    ),
    strip: between(rounds, '<nav class="tabs steps strip" aria-label="Rounds"', '</nav>'),
    bracket: between(bracket, '<ol class="bracket', '</section>').map((text) =>
      text.replaceAll(/ · Winner plays match \d+/g, ''),
    ),
  };
}

interface Said {
  state: string[];
  facts: string[];
  now: string[];
  board: string;
  notPlaying: string[];
  penalties: string[];
}

// The expected texts were written once and checked by people. `WRITE_MOMENTS=1 npm test --
// test/site/venue.test.ts` writes them again.
const file = new URL('moments.json', import.meta.url);
const isWriting = process.env['WRITE_MOMENTS'] !== undefined;
const saidAt = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, Said>>;

for (const [moment, record] of Object.entries(moments)) {
  test(moment, async () => {
    await publishFeed(database.pool, [record]);
    await eventually(async () => assert.deepEqual(await read(record.slug), says[moment]));
    for (const language of languages) {
      const said = await saysFirst(`${language === 'en' ? '' : `/${language}`}/tournaments/${record.slug}`);
      if (isWriting) (saidAt[moment] ??= {})[language] = said;
      else assert.deepEqual(said, saidAt[moment]?.[language], language);
    }
    if (isWriting) writeFileSync(file, `${JSON.stringify(saidAt, null, 2)}\n`);
  });
}

test('a result that the play has gone past is missing, and one that may still come is not', async () => {
  const forgotten = moments['round 2 is over, and the result of table 6 was forgotten'];
  assert.ok(forgotten);
  await publishFeed(database.pool, [forgotten]);
  await eventually(async () => {
    const round = words(await page('/tournaments/cup/rounds?stage=swiss&round=1'));
    assert.match(round, / 5 of 6 results in .* Result missing Table 6 Kim Leo Results Table 1 Ann won/);
  });
});

test('a board marks who has no result yet, and who dropped', async () => {
  const begun = moments['round 2 has begun, and the result of table 6 may still come'];
  assert.ok(begun?.participants);
  const participants = begun.participants.map((each) => ({ ...each, dropped: each.id === 'cleo' }));
  await publishFeed(database.pool, [{ ...begun, participants }]);
  await eventually(async () => {
    const board = between(await page('/tournaments/cup'), '<tr', '</tr>').join(' | ');
    assert.match(
      board,
      / \d+ Ann 2–0–0, unbeaten .* \d+ , playing now, T2 Eve by lot 1–0–0 .* Not playing \| \d+ Cleo Dropped out 1–0–1 /,
    );
  });
});

const partOf = (text: string) => words(text.split('<main')[1] ?? '');

test('a round by player: everybody from A to Z with table and opponent, and those who have a bye', async () => {
  const begun = moments['round 2 has begun, and the result of table 6 may still come'];
  assert.ok(begun);
  const bye = { stage: 'swiss', round: 2, participant: 'ann', win: true };
  const battles = begun.battles?.filter(({ id }) => id !== 'cup-swiss-2-1') ?? [];
  await publishFeed(database.pool, [{ ...begun, battles, byes: [bye] }]);
  await eventually(async () => {
    const text = partOf(await page('/tournaments/cup/rounds?by=player&round=2'));
    assert.match(
      text,
      / A Ann bye B Bea vs Dora table 3 D Dora vs Bea table 3 E Eve vs Gus table 2 F Fay vs Hal /,
    );
  });
  const found = partOf(await page('/tournaments/cup/participants?name=%20DOR%C3%80'));
  assert.match(found, / Players Dora /);
  assert.doesNotMatch(found, / Players .*(Ann|Eve) /);
  assert.match(
    partOf(await page('/tournaments/cup/participants?name=zoe')),
    /No player has a name like that/,
  );
  for (const query of ['by=table', 'player=a%20b', 'entry=a/b']) {
    assert.equal((await fetch(`${server.siteUrl}/tournaments/cup/rounds?${query}`)).status, 404, query);
  }
  for (const path of ['/tournaments/cup', '/tournaments/cup/rounds']) {
    assert.equal(await page(`${path}?player=`), await page(path), path);
  }
});

test('groups in different rounds: each with the games and byes of its own round, unless a round is asked for', async () => {
  const each = moments['each group is in a round of its own'];
  assert.ok(each);
  // Bea's game of round 2 is left out, and the previous and the next rounds also have byes.
  const bye = (round: number, participant: string) => ({ stage: 'swiss', round, participant, win: true });
  const battles = each.battles?.filter(({ id }) => id !== 'groups-swiss-2-4') ?? [];
  const byes = [bye(1, 'cleo'), bye(2, 'dora'), bye(2, 'fay'), bye(1, 'hal')];
  await publishFeed(database.pool, [{ ...each, battles, byes }]);
  await eventually(async () => {
    const text = partOf(await page('/tournaments/groups/rounds?by=player'));
    assert.match(
      text,
      / A Ann vs Cleo won table 1 B Bea vs Dora table 2 C Cleo vs Ann lost table 1 D Dora vs Bea table 2 Dora bye E Eve vs Fay table 3 F Fay vs Eve table 3 G Gus vs Hal won table 4 H Hal vs Gus lost table 4 Hal bye All /,
    );
  });
  const first = await page('/tournaments/groups/rounds?round=1');
  assert.match(
    partOf(first),
    / Now Round 1 .* round 1 Three Wells · 3 of 4 results in .* Results Table 1 Ann won 30 Bea lost 10 Table 2 .* Byes Cleo Hal /,
  );
  assert.match(first, /<a href="\/tournaments\/groups\/rounds\?stage=swiss">Now</);
});

test('a match of a bracket whose game is drawn is not open, although nobody went on', async () => {
  const open = moments['two quarter-finals are open, and a semi-final is paired'];
  assert.ok(open?.matches && open.battles);
  const side = (participant: string) => ({ participant, victoryPoints: 17, battlePoints: 1 });
  const drawn = {
    id: 'cup-drawn',
    stage: 'knockout',
    round: 1,
    table: 3,
    finished: true,
    sides: [side('bea'), side('gus')],
  };
  const matches = open.matches.map((each) =>
    each.players?.[0] === 'bea' ? { ...each, battle: drawn.id } : each,
  );
  await publishFeed(database.pool, [{ ...open, matches, battles: [...open.battles, drawn] }]);
  await eventually(async () =>
    assert.match(await page('/tournaments/cup'), /Quarter-finals<\/b><span>3 of 4/),
  );
  const drew = 'Table 3 seed #2 Bea drew 17 seed #7 Gus drew 17';
  assert.match(
    partOf(await page('/tournaments/cup')),
    / Table 4 seed #3 Cleo seed #6 Fay .* Table 3 seed #2 Bea drew 17 seed #7 Gus drew 17 1 table still playing Sunday Swiss /,
  );
  assert.match(
    partOf(await page('/tournaments/cup/rounds')),
    new RegExp(` Still playing Table 4 .* Results .* ${drew} Match 3 `),
  );
  assert.match(
    partOf(await page('/tournaments/cup?stage=knockout')),
    /Table 3 seed #2 Bea drew 17 seed #7 Gus drew 17 Match 3 · Winner plays match 6 .* Table 2 Winner of match 3 /,
  );
});

test('before any result: a game whose players have both dropped holds nothing up', async () => {
  const paired = moments['round 1 is paired'];
  assert.ok(paired?.participants && paired.battles);
  const gone = (...ids: string[]) =>
    paired.participants?.map((each) => ({ ...each, dropped: ids.includes(each.id) })) ?? [];
  const battles = paired.battles.slice(0, 2);
  await publishFeed(database.pool, [{ ...paired, battles, participants: gone('ann', 'bea') }]);
  await eventually(async () =>
    assert.match(
      partOf(await page('/tournaments/cup')),
      /Round 1 of 5 no result yet .* Round 1 pairings .* Table 2 Cleo Dora Result missing: round 1, table 1 /,
    ),
  );
  const all = gone(...paired.participants.map(({ id }) => id));
  await publishFeed(database.pool, [{ ...paired, battles, participants: all }]);
  await eventually(async () =>
    assert.match(
      partOf(await page('/tournaments/cup')),
      /Round 1 of 5 no result yet .* All the players in this round have dropped out. .*Results missing: /,
    ),
  );
});

test('there is a tab for factions when there are factions', async () => {
  assert.doesNotMatch(await page('/tournaments/cup'), /#factions/);
  const begun = moments['round 1 is paired'];
  assert.ok(begun?.participants);
  const participants = begun.participants.map((each) => ({ ...each, faction: 'Tidebound Court' }));
  await publishFeed(database.pool, [
    { ...begun, slug: 'harbour', status: 'finished', battles: [], participants },
  ]);
  await eventually(async () => {
    assert.match(await page('/tournaments/harbour'), /<section class="sec" id="factions"/);
    for (const path of ['', '/rounds', '/participants'])
      assert.match(
        await page(`/tournaments/harbour${path}`),
        /<a href="[^"]*harbour#factions">Factions</,
        path,
      );
  });
});

test('a phone shows one round of a bracket at a time: the one that is played, or that of the address', async () => {
  const open = moments['two quarter-finals are open, and a semi-final is paired'];
  assert.ok(open);
  await publishFeed(database.pool, [open]);
  await eventually(async () =>
    assert.match(await page('/tournaments/cup'), /Quarter-finals<\/b><span>2 of 4/),
  );
  const shown = async (query: string) => {
    const text = await page(`/tournaments/cup?stage=knockout${query}`);
    return [
      between(text, '<li class="shown"', '</h3>').join(),
      between(text, '<nav class="tabs steps round-tabs"', '</nav>').join(),
      /round-tabs.*?aria-current="page"><bdi>([^<]*)/s.exec(text)?.[1],
    ];
  };
  const tabs = 'Quarter-finals Semi-finals Final';
  assert.deepEqual(await shown(''), ['Quarter-finals', tabs, 'Quarter-finals']);
  assert.deepEqual(await shown('&round=3'), ['Final', tabs, 'Final']);
  // The bracket does not have this round, so all are shown.
  assert.deepEqual(await shown('&round=9'), ['', tabs, undefined]);
  assert.equal((await fetch(`${server.siteUrl}/tournaments/cup?stage=knockout&round=x`)).status, 404);
});

test('the page of a player says the table of a running game, the place so far, and leads to opponents and battles', async () => {
  const begun = moments['round 2 has begun, and the result of table 6 may still come'];
  assert.ok(begun);
  await publishFeed(database.pool, [begun]);
  await eventually(async () => {
    const text = await page('/players/eve');
    assert.match(
      partOf(text),
      /Table 3 Playing now , vs Fay Taking part in Group Cup Table 2 Playing now , vs Gus 3rd of 12 so far at Harbour Cup /,
    );
    assert.match(text, /<a class="name" href="\/tournaments\/cup\/players\/eve"><bdi>Harbour Cup</);
    assert.match(text, /<a class="name" href="\/players\/fay"><bdi>Fay</);
    assert.match(text, /<a(?: class="strong")? href="\/battles\/cup-swiss-1-3">30–10</);
  });
  // Ann's game is over.
  const ann = partOf(await page('/players/ann'));
  assert.match(ann, /1st of 12 so far at Harbour Cup/);
  assert.doesNotMatch(ann, /Playing now/);
});

test('the page of a player: club, the record against opponents and factions, a match without a battle', async () => {
  const before = moments['two quarter-finals are open, and a semi-final is paired'];
  assert.ok(before?.participants);
  const list = (faction: string) => ({
    faction,
    subFaction: '',
    points: 1990,
    battleTacticCards: [],
    text: `12 ${faction} Riders\nOne more line`,
  });
  const participants = before.participants.map((each) => ({
    ...each,
    ...(each.id === 'bea' && { club: 'harbour', list: list('Marsh') }),
    ...(each.id === 'ann' && { faction: 'Tide' }),
  }));
  await publishFeed(database.pool, [
    { kind: 'club', slug: 'harbour', name: 'Harbour Club' },
    { ...before, participants },
  ]);
  await eventually(async () => {
    const text = await page('/players/bea');
    // Her quarter-final has a table but no battle, so there is no page to link to.
    assert.match(
      partOf(text),
      / HC Bea Harbour Club .*Table 3 Playing now, vs Gus Taking part in Harbour Cup /,
    );
    assert.match(
      text,
      /<span class="sub">Playing now, vs<\/span><a class="name" href="\/tournaments\/cup\/players\/gus"/,
    );
    assert.match(text, /<a href="\/clubs\/harbour"><bdi>Harbour Club</);
    assert.match(partOf(text), / Against each faction Ti Tide 0–0–1 0%/);
    // There are two games with Ann, in two events. Among opponents with one game, the newest comes first.
    assert.match(
      partOf(text),
      / Against each opponent Ann Last 10–30 0–0–2 Cleo Last 10–30 0–0–1 Hal Last 30–10 1–0–0 Fay Last 30–10 1–0–0 /,
    );
  });
  // Another player has no club.
  assert.doesNotMatch(await page('/players/gus'), /\/clubs\/[a-z]/);
});
