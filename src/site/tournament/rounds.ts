import type { BracketStandings } from '../../contract/standings.ts';
import type { Stage } from '../../contract/tournament.ts';
import { html, joined, type Html } from '../parts/html.ts';
import { type Asked, isFollowed, isRound, isSlug, type PageRoute } from '../page.ts';
import { bracketMatch, battlesById } from '../bracket/bracket.ts';
import { bracketOf, matchesOf, type PlacedMatch, type Play } from '../bracket/tree.ts';
import { roundName } from '../now/current-round.ts';
import { elsewhere } from './elsewhere.ts';
import type { ShownMatch } from './match.ts';
import { name } from '../parts/names.ts';
import { counted } from '../parts/numbers.ts';
import { pairing } from './pairing.ts';
import { orderSteps, roundSteps } from './round-steps.ts';
import { peopleList, peopleOfRound, type PersonOfRound, personRow } from './people-of-round.ts';
import { byTable } from './tables-of-round.ts';
import {
  revisionsOf,
  shownClub,
  shownTournament,
  type ShownTournament,
  tournamentFrame,
} from './tournament-frame.ts';
import { revisionTags, sharedTags } from '../parts/revision-tag.ts';
import type { SiteSettings } from '../site-settings.ts';
import { roundOfPage, type RoundsRow, type ShownBattle } from './statements.ts';

/**
 * The pairings of one round: of the one that is played, or of the one that the query names. By table, or by player: that is
 * printed and hung on the wall, and shown on a screen in the hall.
 */
export function tournamentRoundsPage(site: SiteSettings): PageRoute {
  const path = '/tournaments/:slug/rounds';
  return {
    path,
    query: ['stage', 'round', 'by', 'player'],
    scope: ({ slug }) => `tournament:${slug}`,
    make: async (asked) => {
      const { params, query, read } = asked;
      if (
        !isSlug(params['slug']) ||
        !(query['round'] === undefined || isRound(query['round'])) ||
        !isFollowed(query['player'])
      )
        return undefined;
      if (![undefined, 'player'].includes(query['by'])) return undefined;
      const tags = revisionTags(site, path, asked);
      const { stage: inStage = null, round = null, player } = query;
      const values = [params['slug'], inStage, round, tags.held, player ?? null];
      const [row] = await read<RoundsRow>(roundOfPage, values, ([first]) => (first ? shownClub(first) : []));
      if (row === undefined) return undefined;
      const tag = tags.tag(revisionsOf(row));
      if (row.document === null) return { text: undefined, tag };
      const tournament = shownTournament(row, row.document, asked.today);
      const stages = tournament.stages.filter(({ rounds }) => rounds !== undefined);
      const stage = stages.find(({ id }) => id === row.stage);
      const play = JSON.parse(row.play ?? '{}') as Play;
      const begun = play.begun ?? stage?.rounds ?? 0;
      if (query['stage'] !== undefined && stage === undefined) return undefined;
      if (query['round'] !== undefined && Number(query['round']) > begun) return undefined;
      const base = `${tournament.path}/rounds`;
      const { player: _player, ...shared } = query;
      const shown: ShownRound | undefined =
        stage && begun > 0
          ? { tournament, stage, play, row, query, begun, matches: matchesByRound(stage, play, row) }
          : undefined;
      const search = new URLSearchParams(shared as Record<string, string>).toString();
      const text = tournamentFrame(site, tournament, {
        tab: 'rounds',
        kind: 'hall',
        title: shown ? `${shown.stage.name}, ${inSentence(shown)}` : 'Rounds',
        canonical: search === '' ? base : `${base}?${search}`,
        followed: player,
        hint: elsewhere(site, tournament, base, player, row.followed, stage?.id),
        live: { revision: row.revision, tag: sharedTags(site, path, asked).tag(revisionsOf(row)) },
        main: html`<section aria-labelledby="round">
${
  shown
    ? roundSection(site, base, shown, stages)
    : html`<h2 id="round">Rounds</h2>
${stages.length > 1 && roundSteps(site, base, stages, undefined, query)}
<p class="empty">${stage === undefined ? 'No round' : 'No round of this part'} has begun yet.</p>`
}
</section>`,
      });
      return { text, tag };
    },
  };
}

interface ShownRound {
  tournament: ShownTournament;
  stage: Stage;
  play: Play;
  row: RoundsRow;
  query: Asked['query'];
  begun: number;
  /** Of a bracket: the matches of each round. */
  matches: ReadonlyMap<number, PlacedMatch[]>;
}

function matchesByRound(stage: Stage, play: Play, { standings }: RoundsRow): ShownRound['matches'] {
  if (standings === null) return new Map();
  const { data } = JSON.parse(standings) as BracketStandings;
  return Map.groupBy(matchesOf(bracketOf(data, play, stage.rounds ?? 0)), ({ inRound }) => inRound);
}

/** The rounds of a bracket have names. */
function roundLabel(matches: ShownRound['matches'], round: number): string {
  const own = matches.get(round);
  return own === undefined
    ? `Round ${round}`
    : roundName([...new Set(own.map((match) => match.round))], own.length);
}

function inSentence({ row: { rounds }, matches }: ShownRound): string {
  const [first = 1, last] = [rounds[0], rounds.at(-1)];
  if (rounds.length > 1) return `rounds ${first}–${last}`;
  const label = roundLabel(matches, first);
  return matches.has(first) ? label : label.toLowerCase();
}

function roundSection(site: SiteSettings, base: string, shown: ShownRound, stages: readonly Stage[]): Html {
  const { stage, row, begun, play, query } = shown;
  const isShown = isOfRound(shown);
  const battles = (row.battles ?? []).filter(({ battle }) => isShown(battle));
  const all = [...matchesOfRound(site, shown, battles)];
  const byes = (play.byes ?? []).filter(isShown);
  const results = all.filter(({ state }) => state === 'over').length;
  const scenarios = new Set(battles.map(({ battle }) => battle.scenario ?? ''));
  const [scenario = ''] = scenarios.size === 1 ? scenarios : [];
  const expected = expectedOf(shown, all.length);
  const facts = [
    ...(scenario === '' ? [] : [name(scenario)]),
    expected === null
      ? `${counted(results, 'result')} in`
      : `${results} of ${counted(expected, 'result')} in`,
  ];
  const rounds = {
    stage,
    shown: row.rounds,
    begun,
    // A phone has room for the numbers.
    labelOf: (round: number) =>
      shown.matches.has(round)
        ? name(roundLabel(shown.matches, round))
        : html`<span class="word">Round </span>${round}`,
    areMany: new Set(play.now?.map(({ round }) => round)).size > 1,
  };
  return html`<div class="rounds-head">
${roundSteps(site, base, stages, rounds, query)}
<div class="heading"><h2 id="round">${name(stage.name)}, ${inSentence(shown)} <span class="sub">${joined(facts, ' · ')}<span class="paper-only">${site.siteUrl}${base}</span></span></h2>
${all.length >= fewTables && orderSteps(site, base, query)}</div>
</div>
${query['by'] === 'player' ? byPlayer(peopleOfRound(all, byes), query) : byTable(site, all, byes, query['player'])}`;
}

/** From so many tables on, one looks for a name. */
const fewTables = 5;

/** Of the round that is played, more games may come than are told. */
function expectedOf({ play, row: { rounds } }: ShownRound, told: number): number | null {
  const current = play.now?.find(({ round, group }) => round === rounds[0] && group === undefined);
  // A version before has published it without the number.
  return current?.expected === undefined ? told : current.expected;
}

/** One round, or of each group the games of its own. */
function isOfRound({ play, row: { rounds } }: ShownRound) {
  const roundOf = new Map(play.now?.map(({ group, round }) => [group, round]));
  const ids = new Set(
    play.now?.flatMap(({ done, open = [] }) => [...done, ...open]).concat(play.missing ?? []),
  );
  return (each: { id: string } | { round: number; group?: string }): boolean => {
    if ('id' in each) return rounds.length === 1 || ids.has(each.id);
    return rounds.includes(each.round) && (rounds.length === 1 || roundOf.get(each.group) === each.round);
  };
}

function byPlayer(people: readonly PersonOfRound[], { player }: Asked['query']): Html {
  const mine = people.filter(({ playerId }) => player !== undefined && playerId === player);
  return html`<ol class="people mine-top">${mine.map((each) => personRow(each, '', player))}</ol>
${peopleList(people, player)}`;
}

/** Of a bracket first its matches, which need no battle. Then the battles that no match names. */
function* matchesOfRound(
  site: SiteSettings,
  { tournament, play, row, matches }: ShownRound,
  shown: readonly ShownBattle[],
): Generator<ShownMatch> {
  const isFinished = tournament.status === 'finished';
  const missing = new Set(play.missing);
  const battles = battlesById(shown);
  const isPast = isFinished || play.now?.length === 0;
  for (const match of row.rounds.flatMap((round) => matches.get(round) ?? [])) {
    yield bracketMatch(site, match, battles, isPast);
  }
  const named = new Set([...matches.values()].flat().map(({ battle }) => battle));
  for (const each of shown) {
    if (named.has(each.battle.id)) continue;
    const box = pairing(site, each, isFinished || missing.has(each.battle.id));
    yield row.rounds.length > 1 ? { ...box, note: `Round ${each.battle.round}` } : box;
  }
}
