// Plays one event from the first round to the last, as one finished record. live.ts splits it into a series
// of records.
import type { ParticipantEntry, StageEntry } from '../../record/feed/tournament-records.ts';
import type { TournamentRecord } from '../../record/feed/records.ts';
import { ranking } from './ranking.ts';
import { inventPlayer } from '../people/community.ts';
import { dateOf } from '../dates.ts';
import { type EventParticipant, enter, isActive } from './participants.ts';
import { bracketRounds, laterRounds } from './format.ts';
import { type Knockout, playKnockout } from './knockout.ts';
import type { EventSoFar } from './event-so-far.ts';
import { eventStream, type EventSetup } from './setup.ts';
import { playSwiss } from './swiss.ts';
import type { WholeTournament } from './whole-tournament.ts';

/**
 * Plays an event. `seats` are the community's players who come, at most as many as the event's size. Guests
 * make up the rest.
 */
export function playEvent(setup: EventSetup, seats: readonly number[]): WholeTournament {
  const participants = enter(setup, seats);
  const soFar: EventSoFar = {
    setup,
    participants: participants,
    battles: [],
    byes: [],
    adjustments: [],
    matches: [],
    met: new Set(),
  };
  const groups = setup.format.grouped ? drawGroups(setup, participants) : undefined;
  const fields = groups ? [...groups.values()] : [participants];
  playSwiss(soFar, { id: 'swiss', fields, rounds: setup.rounds, firstSession: 0, counted: ['swiss'] });
  adjust(soFar);
  const swissOrder = standing(soFar, fields);
  const through = setup.format.knockout ? swissOrder.filter(isActive).slice(0, setup.cut) : [];
  const knockout = through.length > 1 ? playKnockout(soFar, through, setup.rounds) : undefined;
  const others = setup.format.placementSwiss ? playOn(soFar, swissOrder, through) : undefined;
  const order = [...new Set([...(knockout?.order ?? []), ...(others?.order ?? []), ...swissOrder])];
  return {
    ...head(setup),
    ...(groups ? { groups: [...groups.keys()] } : {}),
    stages: stages(setup, through, knockout, others),
    participants: participantEntries(soFar, groups, order),
    byes: soFar.byes,
    adjustments: soFar.adjustments,
    battles: soFar.battles,
    matches: soFar.matches,
  };
}

function drawGroups(
  setup: EventSetup,
  participants: readonly EventParticipant[],
): Map<string, EventParticipant[]> {
  const count = Math.max(2, Math.min(26, Math.round(setup.size / 6)));
  const groups = new Map<string, EventParticipant[]>();
  const drawn = eventStream(setup, 'groups').shuffle([...participants]);
  for (const [seed, participant] of drawn.entries()) {
    const name = `Group ${String.fromCharCode(65 + (seed % count))}`;
    groups.set(name, [...(groups.get(name) ?? []), participant]);
  }
  return new Map([...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

// The organizer adds points (for painting) and deducts points (for late lists).
function adjust(soFar: EventSoFar): void {
  const random = eventStream(soFar.setup, 'adjustments');
  if (!random.chance(0.3)) return;
  for (const { id, noShow } of soFar.participants) {
    if (noShow || !random.chance(0.05)) continue;
    soFar.adjustments.push(
      random.pick([
        { stage: 'swiss', participant: id, battlePoints: 1, reason: 'Best painted army' },
        { stage: 'swiss', participant: id, battlePoints: -1, reason: 'List handed in late' },
        { stage: 'swiss', participant: id, victoryPoints: -5, victoryPointsDiff: -5, reason: 'Slow play' },
        { stage: 'swiss', participant: id, battlePoints: 0.5 },
        { stage: 'swiss', participant: id, battlePoints: -0.5, reason: null },
      ]),
    );
  }
}

/**
 * Returns the order after the Swiss rounds. With groups, all firsts come before all seconds, and each of
 * these sets is ordered by the tie-breaks.
 */
function standing(
  { setup, participants, ...soFar }: EventSoFar,
  fields: readonly (readonly EventParticipant[])[],
): EventParticipant[] {
  const byLot = participants.toSorted((a, b) => (a.entry.lot ?? 0) - (b.entry.lot ?? 0));
  const ids = byLot.map((participant) => participant.id);
  const seed = new Map<string, number>();
  for (const field of fields) {
    const members = new Set(field.map((participant) => participant.id));
    const rows = ranking(
      ids.filter((id) => members.has(id)),
      ['swiss'],
      { ...soFar },
      setup.tieBreaks,
    );
    for (const [index, row] of rows.entries()) seed.set(row.id, index);
  }
  const across = ranking(ids, ['swiss'], { ...soFar }, setup.tieBreaks).map((row) => row.id);
  const inOrder = setup.format.grouped
    ? across.toSorted((a, b) => (seed.get(a) ?? 0) - (seed.get(b) ?? 0))
    : across;
  const byId = new Map(participants.map((participant) => [participant.id, participant]));
  const sorted = inOrder.flatMap((id) => byId.get(id) ?? []);
  return [
    ...sorted.filter((participant) => !participant.noShow),
    ...sorted.filter((participant) => participant.noShow),
  ];
}

interface PlacementSwiss {
  readonly members: EventParticipant[];
  readonly rounds: number;
  readonly carriesOver: boolean;
  readonly order: EventParticipant[];
}

function playOn(
  soFar: EventSoFar,
  swissOrder: readonly EventParticipant[],
  through: readonly EventParticipant[],
): PlacementSwiss | undefined {
  const { setup } = soFar;
  const members = swissOrder.filter((participant) => isActive(participant) && !through.includes(participant));
  if (members.length < 4) return undefined;
  const carriesOver = eventStream(setup, 'placement-swiss').chance(0.5);
  const counted = carriesOver ? ['swiss', 'placement-swiss'] : ['placement-swiss'];
  const rounds = laterRounds(setup.format, setup.cut);
  playSwiss(soFar, { id: 'placement-swiss', fields: [members], rounds, firstSession: setup.rounds, counted });
  const byId = new Map(members.map((participant) => [participant.id, participant]));
  const order = ranking([...byId.keys()], counted, soFar, setup.tieBreaks).flatMap(
    (row) => byId.get(row.id) ?? [],
  );
  return { members, rounds, carriesOver, order };
}

function head(setup: EventSetup): TournamentRecord {
  const random = eventStream(setup, 'head');
  const { town, record: host } = setup.club;
  const dated = setup.habits.dates;
  const organizers = Array.from(
    { length: random.below(3) },
    () => inventPlayer(setup.community, random.below(Math.min(40, setup.community.players))).id,
  );
  return {
    kind: 'tournament',
    slug: setup.slug,
    published: setup.published,
    name: setup.name,
    status: 'finished',
    ...(dated ? { startDate: dateOf(setup.start), endDate: dateOf(setup.start + setup.days - 1) } : {}),
    ...(random.chance(0.9)
      ? { description: `${setup.rounds} rounds at ${setup.battleSize} points.\nBring dice, tape and a list.` }
      : {}),
    ...(random.chance(0.95) ? { city: town.name, country: town.country } : {}),
    battleSize: setup.battleSize,
    battlePack: setup.pack.name,
    ...(random.chance(0.85) ? { organizer: host.slug } : {}),
    tournamentOrganizers: [...new Set(organizers)],
    ...(setup.tieBreaks ? { tieBreaks: setup.tieBreaks } : {}),
    ...(setup.metrics.length > 0 ? { metrics: setup.metrics } : {}),
    ...(random.chance(0.2) ? { standingsLabel: 'Overall' } : {}),
    ...(setup.habits.placements === 'legacy' ? { placementsRecorded: false } : {}),
    ...(setup.habits.placements === 'recorded' && random.chance(0.3) ? { placementsRecorded: true } : {}),
  };
}

function stages(
  setup: EventSetup,
  through: readonly EventParticipant[],
  knockout: Knockout | undefined,
  others: PlacementSwiss | undefined,
): StageEntry[] {
  const phase = (number: number) => (setup.habits.phases ? { phase: number } : {});
  const grouped = setup.format.grouped;
  const list: StageEntry[] = [
    {
      id: 'swiss',
      ...(grouped ? (setup.habits.phases ? { label: 'Group Stage' } : {}) : { label: 'Swiss Stage' }),
      type: 'board',
      ...phase(1),
      rounds: setup.rounds,
      ...(grouped ? { grouped } : {}),
    },
  ];
  if (knockout) {
    list.push({
      id: 'knockout',
      label: `Top ${through.length}`,
      type: 'bracket',
      ...phase(2),
      rounds: bracketRounds(through.length),
      members: through.map(({ id }, index) => ({ participant: id, seed: index + 1 })),
    });
  }
  for (const { id, rounds, members } of knockout?.placementStages ?? []) {
    const label = `Places ${id.replace('placement-', '').replace('-', '–')}`;
    list.push({ id, label, type: 'bracket', ...phase(2), rounds, members: members.map(asMember) });
  }
  if (others) {
    list.push({
      id: 'placement-swiss',
      label: 'Everybody Else',
      type: 'board',
      ...phase(2),
      rounds: others.rounds,
      members: others.members.map(asMember),
      ...(others.carriesOver ? { carriesOver: 'swiss' } : {}),
    });
  }
  return list;
}

function asMember({ id }: EventParticipant): { participant: string } {
  return { participant: id };
}

function participantEntries(
  soFar: EventSoFar,
  groups: Map<string, EventParticipant[]> | undefined,
  order: readonly EventParticipant[],
): ParticipantEntry[] {
  const groupOf = new Map(
    [...(groups ?? [])].flatMap(([name, members]) => members.map(({ id }) => [id, name])),
  );
  const rankOf = new Map(order.map(({ id }, index) => [id, index + 1]));
  const recorded = soFar.setup.habits.placements === 'recorded';
  return soFar.participants.map(({ id, entry, dropped, noShow }) => ({
    ...entry,
    ...(groups ? { group: groupOf.get(id) ?? null } : {}),
    ...(dropped ? { dropped } : {}),
    ...(noShow ? { noShow } : {}),
    ...(recorded && !noShow ? { finalPlacement: rankOf.get(id) ?? null } : {}),
  }));
}
