import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import type { Serving } from './serving.ts';

/** Compares the spreadsheet files of every tournament with the answers of the API, field by field. */
export async function compareFiles(serving: Serving): Promise<{ tournaments: number; fields: number }> {
  const tournaments = await everything(serving, '/api/v1/tournaments');
  let fields = 0;
  for (const tournament of tournaments) {
    const path = `/tournaments/${String(tournament['slug'])}`;
    const stages = tournament['stages'] as { id: string }[];
    for (const { id } of stages) {
      const answer = await serving.get(`/api/v1${path}/standings?stage=${id}`);
      const { data } = JSON.parse(answer.text) as { data: Fields[] };
      fields += await compare(serving, `${path}/standings.csv?stage=${id}`, data.map(flatMatch));
    }
    const participants = await everything(serving, `/api/v1${path}/participants`);
    fields += await compare(serving, `${path}/participants.csv`, participants.map(flatParticipant));
    const played = await everything(serving, `/api/v1${path}/battles`);
    fields += await compare(serving, `${path}/battles.csv`, played.flatMap(flatBattle));
  }
  return { tournaments: tournaments.length, fields };
}

type Fields = Record<string, unknown>;

/** Asserts that every field of the API is a field of the file, with the same text. */
async function compare({ siteUrl }: Serving, path: string, expected: Fields[]): Promise<number> {
  const response = await fetch(`${siteUrl}${path}`);
  assert.equal(response.status, 200, path);
  // fetch removes the byte order mark.
  const rows: Fields[] = parse(await response.text(), { columns: true, bom: true });
  const found = rows.map((row) => {
    const { table: _table, side: _side, ...rest } = row;
    return withoutApostrophes(path.includes('/standings.csv') ? row : rest);
  });
  assert.deepEqual(found, expected.map(asText), path);
  return found.reduce((sum, row) => sum + Object.keys(row).length, 0);
}

/** Removes the apostrophes that the file adds to text that begins like a formula. */
function withoutApostrophes(row: Fields): Fields {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      String(value).replaceAll(/(^|[;\t\r\n])'(?=[=+\-@\t\r])/g, '$1'),
    ]),
  );
}

function asText(row: Fields): Fields {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellOf(value)]));
}

function cellOf(value: unknown): string {
  return value === null || value === undefined ? '' : `${value as string | number | boolean}`;
}

const boardFields = [
  'rank',
  'group',
  'player',
  'playerId',
  'faction',
  'battlePoints',
  'wins',
  'draws',
  'losses',
  'victoryPoints',
  'victoryPointsDiff',
];

function flatMatch(row: Fields): Fields {
  if (!('players' in row)) return Object.fromEntries(boardFields.map((name) => [name, row[name]]));
  const { players, round, table, winner, battle } = row;
  const [player1, player2] = players as string[];
  return { round, table, player1, player2, winner, battle };
}

function flatParticipant({ list, ...row }: Fields): Fields {
  const of = (list ?? {}) as Fields;
  const cards = of['battleTacticCards'] as string[] | undefined;
  const { faction, subFaction, points, text } = of;
  return { ...row, faction, subFaction, points, battleTacticCards: cards?.join('; '), text };
}

function flatBattle(battle: Fields): Fields[] {
  const { players, tournament: _tournament, url: _url, ...rest } = battle;
  return (players as Fields[]).map(({ metrics, ...side }) => ({
    ...rest,
    player: side['player'],
    playerId: side['playerId'],
    faction: side['faction'],
    subFaction: side['subFaction'],
    outcome: side['outcome'],
    battlePoints: side['battlePoints'],
    victoryPoints: side['victoryPoints'],
    objectivePoints: side['objectivePoints'],
    battleTacticsScored: side['battleTacticsScored'],
    grandStrategy: side['grandStrategy'],
    grandStrategyScored: side['grandStrategyScored'],
    drops: side['drops'],
    role: side['role'],
    metrics: Object.keys(metrics as object).length === 0 ? null : JSON.stringify(metrics),
  }));
}

/** Reads a whole list, page after page. */
async function everything({ get }: Serving, path: string): Promise<Fields[]> {
  const all: Fields[] = [];
  for (let target: string | null = `${path}?limit=100`; target !== null;) {
    const { data, next } = JSON.parse((await get(target)).text) as { data: Fields[]; next: string | null };
    all.push(...data);
    target = next === null ? null : next.slice(next.indexOf('/api/v1'));
  }
  return all;
}
