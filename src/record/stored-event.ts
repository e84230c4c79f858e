// What is recorded of the events that a batch changes: their headers, locked, and as much of their parts as the changes
// refer to without carrying it. An event that is sent whole needs nothing but its header.
import type { ClientBase } from 'pg';
import type { EventChange } from './event-change.ts';
import type { MetricEntry, TieBreak } from './feed-event.ts';

export interface Header {
  slug: string;
  published: boolean;
  name: string;
  status: 'planned' | 'ongoing' | 'finished';
  startDate: string | null;
  endDate: string | null;
  description: string;
  city: string | null;
  country: string | null;
  battleSize: number;
  battlePack: string | null;
  organizer: string | null;
  tieBreaks: TieBreak[];
  metrics: MetricEntry[];
  standingsLabel: string;
  placementsRecorded: boolean;
}

export interface KnownStage {
  grouped: boolean;
  everybody: boolean;
  /** Of a grouped stage that is not for everybody; otherwise not looked at. */
  members: Set<string>;
}

export interface KnownParticipant {
  group: string | null;
  /** Null without a list. */
  listFaction: string | null;
}

export interface KnownBattle {
  stage: string;
  participants: string[];
}

export interface StoredEvent {
  id: number;
  header: Header;
  stages: Map<string, KnownStage>;
  groups: Set<string>;
  participants: Map<string, KnownParticipant>;
  /** Those that a match names. */
  battles: Map<string, KnownBattle>;
  /** Of the metrics that the change takes away or gives another type, those that stored battles have. */
  usedMetrics: UsedMetric[];
}

interface UsedMetric {
  name: string;
  /** What a round has; null of a total, which is a number in both types. */
  type: MetricEntry['type'] | null;
  /** One that has it. */
  battle: string;
}

export async function loadStoredEvents(
  client: ClientBase,
  changes: EventChange[],
): Promise<Map<string, StoredEvent>> {
  const events = await lockHeaders(client, [...new Set(changes.map(({ slug }) => slug))]);
  if (events.size === 0) return events;
  const byId = new Map([...events.values()].map((event) => [event.id, event]));
  const stored = changes.filter(({ slug }) => events.has(slug));
  const idOf = ({ slug }: EventChange): number => events.get(slug)?.id ?? 0;
  await loadStages(client, byId, stored.filter(({ parts }) => refersToStages(parts)).map(idOf));
  const referring = stored.filter(({ parts }) => refersToParticipants(parts) && !parts.participants);
  await loadParticipants(client, byId, referring.filter(({ whole }) => whole).map(idOf));
  await loadNamedParticipants(
    client,
    byId,
    referring.filter(({ whole }) => !whole),
    idOf,
  );
  await loadBattles(client, byId, stored);
  await loadUsedMetrics(client, events, stored);
  return events;
}

const refersToStages = (parts: EventChange['parts']): boolean =>
  Boolean(
    parts.participants ?? parts.stages ?? parts.byes ?? parts.adjustments ?? parts.battles ?? parts.matches,
  );
const refersToParticipants = (parts: EventChange['parts']): boolean =>
  Boolean(parts.stages ?? parts.byes ?? parts.adjustments ?? parts.battles ?? parts.matches);

/** Locked, so that two imports change one event one after the other; in order, so that they never wait in a circle. */
async function lockHeaders(client: ClientBase, slugs: string[]): Promise<Map<string, StoredEvent>> {
  const { rows } = await client.query<Header & { id: number }>({
    text: `select id, slug, published, name, status, start_date::text as "startDate", end_date::text as "endDate",
      description, city, country, battle_size as "battleSize", battle_pack as "battlePack", organizer,
      tie_breaks as "tieBreaks", metrics, standings_label as "standingsLabel",
      placements_recorded as "placementsRecorded"
      from record.tournament where slug = any($1::text[]) order by slug for no key update`,
    values: [slugs],
  });
  return new Map(
    rows.map(({ id, ...header }) => [
      header.slug,
      {
        id,
        header,
        stages: new Map(),
        groups: new Set(),
        participants: new Map(),
        battles: new Map(),
        usedMetrics: [],
      },
    ]),
  );
}

async function loadStages(
  client: ClientBase,
  events: Map<number, StoredEvent>,
  ids: number[],
): Promise<void> {
  if (ids.length === 0) return;
  const stages = await client.query<{
    tournament_id: number;
    id: string;
    grouped: boolean;
    everybody: boolean;
    members: string[] | null;
  }>({
    text: `select s.tournament_id, s.id, s.grouped, s.everybody, case when s.grouped and not s.everybody then array(
        select m.participant from record.stage_member m where m.tournament_id = s.tournament_id and m.stage = s.id
      ) end as members from record.stage s where s.tournament_id = any($1::integer[])`,
    values: [ids],
  });
  for (const { tournament_id, id, grouped, everybody, members } of stages.rows) {
    events.get(tournament_id)?.stages.set(id, { grouped, everybody, members: new Set(members) });
  }
  const groups = await client.query<{ tournament_id: number; name: string }>({
    text: 'select tournament_id, name from record.tournament_group where tournament_id = any($1::integer[])',
    values: [ids],
  });
  for (const { tournament_id, name } of groups.rows) events.get(tournament_id)?.groups.add(name);
}

interface ParticipantRow extends KnownParticipant {
  tournament_id: number;
  id: string;
}
const participantColumns = `select p.tournament_id, p.id, p.group_name as "group",
  case when l.participant is not null then p.faction end as "listFaction"
  from record.participant p left join record.participant_list l
  on l.tournament_id = p.tournament_id and l.participant = p.id`;

async function loadParticipants(
  client: ClientBase,
  events: Map<number, StoredEvent>,
  ids: number[],
): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await client.query<ParticipantRow>({
    text: `${participantColumns} where p.tournament_id = any($1::integer[])`,
    values: [ids],
  });
  keepParticipants(events, rows);
}

async function loadNamedParticipants(
  client: ClientBase,
  events: Map<number, StoredEvent>,
  changes: EventChange[],
  idOf: (change: EventChange) => number,
): Promise<void> {
  if (changes.length === 0) return;
  const named = changes.flatMap((change) =>
    namesIn(change.parts).map((name) => [idOf(change), name] as const),
  );
  const { rows } = await client.query<ParticipantRow>({
    text: `${participantColumns} where (p.tournament_id, p.id) in (select * from unnest($1::integer[], $2::text[]))`,
    values: [named.map(([id]) => id), named.map(([, name]) => name)],
  });
  keepParticipants(events, rows);
}

const namesIn = ({ byes = [], battles = [], matches = [] }: EventChange['parts']): string[] => [
  ...byes.map(({ participant }) => participant),
  ...battles.flatMap(({ sides }) => sides.map(({ participant }) => participant)),
  ...matches.flatMap(({ players = [] }) => players),
];

function keepParticipants(events: Map<number, StoredEvent>, rows: ParticipantRow[]): void {
  for (const { tournament_id, id, group, listFaction } of rows) {
    events.get(tournament_id)?.participants.set(id, { group, listFaction });
  }
}

async function loadBattles(
  client: ClientBase,
  events: Map<number, StoredEvent>,
  changes: EventChange[],
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
    events.get(tournament_id ?? 0)?.battles.set(id, battle);
  }
}

async function loadUsedMetrics(
  client: ClientBase,
  events: Map<string, StoredEvent>,
  changes: EventChange[],
): Promise<void> {
  for (const { slug, whole } of changes) {
    const event = events.get(slug);
    if (!event || !whole?.metrics || whole.battles) continue;
    const kept = new Map(whole.metrics.map(({ name, type }) => [name, type]));
    const lost = event.header.metrics.filter(({ name, type }) => kept.get(name) !== type);
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
      values: [event.id, lost.map(({ name }) => name)],
    });
    event.usedMetrics = rows;
  }
}
