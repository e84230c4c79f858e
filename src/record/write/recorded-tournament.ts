// Reads the recorded tournaments that a batch changes. It locks their headers, and reads only the parts that
// a change refers to but does not contain. A tournament that is sent whole needs only its header.
import type { ClientBase } from 'pg';
import type { TournamentChange } from './tournament-change.ts';
import { type More, readByKey } from '../facts/read-table.ts';
import { isHiddenTournament, type TournamentHeader } from '../facts/tournament-header.ts';
import type { MetricEntry } from '../feed/tournament-records.ts';
import { boolean, integer, text } from '../columns.ts';
import { tournament as table } from '../tables.ts';

export interface KnownStage {
  rounds: number;
  grouped: boolean;
  everybody: boolean;
  /** Filled only for a stage that lists its members, if it is grouped or the change is about rankings. */
  members: Set<string>;
  /** Those of `members` who have no seed. */
  unseeded: Set<string>;
}

export interface KnownParticipant {
  group: string | null;
  /** Null if there is no list. */
  listFaction: string | null;
  /** The value that `subFactionOf` returns. */
  listSubFaction: string | null;
  /** True if the final placement is recorded. */
  isPlaced: boolean;
}

export interface KnownRanking {
  afterRound: number;
  /** The ranks by participant. */
  ranks: Record<string, number>;
}

export interface KnownBattle {
  stage: string;
  participants: string[];
}

export interface RecordedTournament {
  id: number;
  /** The source that owns it. */
  source: string;
  /** True if an operator hid it, so that a feed cannot show it. */
  isHidden: boolean;
  header: TournamentHeader;
  stages: Map<string, KnownStage>;
  groups: Set<string>;
  participants: Map<string, KnownParticipant>;
  /** The newest ranking of each stage, if the change refers to stages. */
  rankings: Map<string, KnownRanking>;
  /** The battles that a match names. No others are read. */
  battles: Map<string, KnownBattle>;
  /** Metrics that stored battles use and that the change removes or gives another type. */
  usedMetrics: UsedMetric[];
}

interface UsedMetric {
  name: string;
  /** The type of the value in a round. Null for a total, because totals are numbers for both types. */
  type: MetricEntry['type'] | null;
  /** One battle that uses the metric. */
  battle: string;
}

export async function loadRecordedTournaments(
  client: ClientBase,
  changes: TournamentChange[],
): Promise<Map<string, RecordedTournament>> {
  const tournaments = await lockHeaders(client, [...new Set(changes.map(({ slug }) => slug))]);
  if (tournaments.size === 0) return tournaments;
  const byId = new Map([...tournaments.values()].map((tournament) => [tournament.id, tournament]));
  const stored = changes.filter(({ slug }) => tournaments.has(slug));
  const idOf = ({ slug }: TournamentChange): number => tournaments.get(slug)?.id ?? 0;
  const ranked = stored.filter(refersToRankings).map(idOf);
  const staged = stored.filter(({ parts }) => refersToStages(parts)).map(idOf);
  await loadStages(client, byId, [...ranked, ...staged], ranked);
  const referring = stored.filter(({ parts }) => refersToParticipants(parts) && !parts.participants);
  const all = referring.filter(({ whole }) => whole).map(idOf);
  await loadParticipants(client, byId, 'p.tournament_id = any($1::integer[])', [all]);
  const named = referring.flatMap((change) =>
    change.whole ? [] : namesIn(change.parts).map((name) => ({ id: idOf(change), name })),
  );
  const isNamed = '(p.tournament_id, p.id) in (select * from unnest($1::integer[], $2::text[]))';
  await loadParticipants(client, byId, isNamed, [named.map(({ id }) => id), named.map(({ name }) => name)]);
  await loadBattles(client, byId, stored);
  await loadUsedMetrics(client, tournaments, stored);
  return tournaments;
}

const refersToStages = (parts: TournamentChange['parts']): boolean =>
  Boolean(
    parts.participants ??
    parts.stages ??
    parts.rankings?.[0] ??
    parts.byes ??
    parts.adjustments ??
    parts.battles ??
    parts.matches,
  );
const refersToRankings = ({ whole, parts }: TournamentChange): boolean =>
  Boolean(parts.stages ?? parts.rankings?.[0] ?? whole?.tieBreaks);
const refersToParticipants = (parts: TournamentChange['parts']): boolean =>
  Boolean(
    parts.stages ?? parts.rankings?.[0] ?? parts.byes ?? parts.adjustments ?? parts.battles ?? parts.matches,
  );

/**
 * Locks the headers, so that two imports change a tournament one after the other. The fixed order prevents
 * deadlocks.
 */
async function lockHeaders(client: ClientBase, slugs: string[]): Promise<Map<string, RecordedTournament>> {
  const more = {
    id: ['t.id', integer],
    source: ['t.source', text],
    isHidden: [isHiddenTournament, boolean],
  } satisfies More;
  const rows = await readByKey(client, table, slugs, more, 'for no key update');
  return new Map(
    [...rows.values()].map(({ id, source, isHidden, ...header }) => [
      header.slug,
      {
        id,
        source,
        isHidden,
        header,
        stages: new Map(),
        groups: new Set(),
        participants: new Map(),
        rankings: new Map(),
        battles: new Map(),
        usedMetrics: [],
      },
    ]),
  );
}

async function loadStages(
  client: ClientBase,
  tournaments: Map<number, RecordedTournament>,
  ids: number[],
  ranked: number[],
): Promise<void> {
  if (ids.length === 0) return;
  const stages = await client.query<{
    tournament_id: number;
    id: string;
    rounds: number;
    grouped: boolean;
    everybody: boolean;
    members: string[] | null;
    unseeded: string[] | null;
    ranking: KnownRanking | null;
  }>({
    text: `select s.tournament_id, s.id, s.rounds, s.grouped, s.everybody, m.members, m.unseeded, (
        select jsonb_build_object('afterRound', after_round, 'ranks', ranks) from record.ranking
        where tournament_id = s.tournament_id and stage = s.id order by after_round desc limit 1
      ) as ranking
      from record.stage s left join lateral (
        select array_agg(participant) as members, array_agg(participant) filter (where seed is null) as unseeded
        from record.stage_member where tournament_id = s.tournament_id and stage = s.id
          and (s.grouped or s.tournament_id = any($2::integer[]))
      ) m on not s.everybody where s.tournament_id = any($1::integer[])`,
    values: [ids, ranked],
  });
  for (const { tournament_id, id, members, unseeded, ranking, ...stage } of stages.rows) {
    const known = { ...stage, members: new Set(members), unseeded: new Set(unseeded) };
    tournaments.get(tournament_id)?.stages.set(id, known);
    if (ranking) tournaments.get(tournament_id)?.rankings.set(id, ranking);
  }
  const groups = await client.query<{ tournament_id: number; name: string }>({
    text: 'select tournament_id, name from record.tournament_group where tournament_id = any($1::integer[])',
    values: [ids],
  });
  for (const { tournament_id, name } of groups.rows) tournaments.get(tournament_id)?.groups.add(name);
}

async function loadParticipants(
  client: ClientBase,
  tournaments: Map<number, RecordedTournament>,
  condition: string,
  values: [unknown[], ...unknown[]],
): Promise<void> {
  if (values[0].length === 0) return;
  const { rows } = await client.query<KnownParticipant & { tournament_id: number; id: string }>({
    text: `select p.tournament_id, p.id, p.group_name as "group",
        case when l.participant is not null then p.faction end as "listFaction",
        case when l.text is null then nullif(l.sub_faction, '') else l.sub_faction end as "listSubFaction",
        p.final_placement is not null as "isPlaced"
      from record.participant p left join record.participant_list l
        on l.tournament_id = p.tournament_id and l.participant = p.id where ${condition}`,
    values,
  });
  for (const { tournament_id, id, ...participant } of rows) {
    tournaments.get(tournament_id)?.participants.set(id, participant);
  }
}

const namesIn = ({
  rankings = [],
  byes = [],
  battles = [],
  matches = [],
}: TournamentChange['parts']): string[] => [
  ...rankings.flatMap(({ ranks }) => ranks.map(({ participant }) => participant)),
  ...byes.map(({ participant }) => participant),
  ...battles.flatMap(({ sides }) => sides.map(({ participant }) => participant)),
  ...matches.flatMap(({ players = [] }) => players),
];

async function loadBattles(
  client: ClientBase,
  tournaments: Map<number, RecordedTournament>,
  changes: TournamentChange[],
): Promise<void> {
  const named = changes.flatMap(({ parts }) =>
    parts.battles ? [] : (parts.matches ?? []).flatMap(({ battle }) => battle ?? []),
  );
  if (named.length === 0) return;
  const { rows } = await client.query<KnownBattle & { tournament_id: number | null; id: string }>({
    text: `select tournament_id, id, stage, array[first_participant, second_participant] as participants
      from record.battle where id = any($1::text[])`,
    values: [named],
  });
  for (const { tournament_id, id, ...battle } of rows) {
    tournaments.get(tournament_id ?? 0)?.battles.set(id, battle);
  }
}

async function loadUsedMetrics(
  client: ClientBase,
  tournaments: Map<string, RecordedTournament>,
  changes: TournamentChange[],
): Promise<void> {
  for (const { slug, whole } of changes) {
    const tournament = tournaments.get(slug);
    if (!tournament || !whole?.metrics || whole.battles) continue;
    const kept = new Map(whole.metrics.map(({ name, type }) => [name, type]));
    const lost = tournament.header.metrics.filter(({ name, type }) => kept.get(name) !== type);
    if (lost.length === 0) continue;
    const { rows } = await client.query<UsedMetric>({
      text: `select name, type, min(battle) as battle from (
          select key as name, null as type, b.id as battle from record.battle b, jsonb_array_elements(
            jsonb_build_array(b.first_metrics, b.second_metrics)) side,
            jsonb_each(case when jsonb_typeof(side) = 'object' then side else '{}' end)
            where b.tournament_id = $1
          union all
          select key, case jsonb_typeof(value) when 'number' then 'number' else 'yesNo' end, b.id from record.battle b,
            jsonb_path_query(jsonb_build_array(b.first_rounds, b.second_rounds), '$[*][*][7]') metrics, jsonb_each(metrics)
            where b.tournament_id = $1
        ) used where name = any($2::text[]) group by name, type order by name, type`,
      values: [tournament.id, lost.map(({ name }) => name)],
    });
    tournament.usedMetrics = rows;
  }
}
