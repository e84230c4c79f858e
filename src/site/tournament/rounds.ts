import type { BracketStandings } from '../../contract/standings.ts';
import type { Stage } from '../../contract/tournament.ts';
import type { Bye } from '../../publish/derive/now/play-shape.ts';
import { html, joined, type Html } from '../parts/html.ts';
import {
  areFollowParameters,
  type Asked,
  followedIn,
  followParameters,
  isRound,
  isSlug,
  type PageRoute,
} from '../page.ts';
import { bracketMatch, battlesById } from '../bracket/bracket.ts';
import { bracketOf, matchesOf, type PlacedMatch, type Play } from '../bracket/tree.ts';
import { roundName } from '../now/current-round.ts';
import { elsewhere } from './elsewhere.ts';
import type { ShownMatch } from './match.ts';
import { guestsIn, withGuests } from '../parts/guests.ts';
import { type Identity, isFollowed, name } from '../parts/names.ts';
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
import type { Words } from '../words/en.ts';
import { roundOfPage, type RoundsRow, type ShownBattle } from './statements.ts';

/**
 * The pairings of one round: of the one that is played, or of the one that the query names. By table, or by player: that is
 * printed and hung on the wall, and shown on a screen in the hall.
 */
export function tournamentRoundsPage(site: SiteSettings): PageRoute {
  const path = '/tournaments/:slug/rounds';
  return {
    path,
    query: ['stage', 'round', 'by', ...followParameters(site)],
    scope: ({ slug }) => `tournament:${slug}`,
    make: async (asked) => {
      const { params, query, read } = asked;
      if (
        !isSlug(params['slug']) ||
        !(query['round'] === undefined || isRound(query['round'])) ||
        !areFollowParameters(query)
      )
        return undefined;
      if (![undefined, 'player'].includes(query['by'])) return undefined;
      const tags = revisionTags(site, path, asked);
      const { stage: inStage = null, round = null } = query;
      const asks = followedIn(params['slug'], query);
      const values = [params['slug'], inStage, round, tags.held, asks ?? null];
      const [row] = await read<RoundsRow>(roundOfPage, values, ([first]) => (first ? shownClub(first) : []));
      if (row === undefined) return undefined;
      const tag = tags.tag(revisionsOf(row));
      if (row.document === null) return { text: undefined, tag };
      const tournament = shownTournament(site, row, row.document, asked.today);
      const stages = tournament.stages.filter(({ rounds }) => rounds !== undefined);
      const stage = stages.find(({ id }) => id === row.stage);
      const play = JSON.parse(row.play ?? '{}') as Play;
      const begun = play.begun ?? stage?.rounds ?? 0;
      if (query['stage'] !== undefined && stage === undefined) return undefined;
      if (query['round'] !== undefined && Number(query['round']) > begun) return undefined;
      const base = `${tournament.path}/rounds`;
      const { words } = site;
      const { player: _player, entry: _entry, ...shared } = query;
      const followed = row.followed?.playerId ?? asks;
      const shown: ShownRound | undefined =
        stage && begun > 0
          ? {
              tournament,
              stage,
              play,
              row,
              query,
              followed,
              begun,
              ...withIds(site, tournament, stage, play, row),
            }
          : undefined;
      const search = new URLSearchParams(shared as Record<string, string>).toString();
      const text = tournamentFrame(site, tournament, {
        tab: 'rounds',
        kind: 'hall',
        title: shown ? `${shown.stage.name}, ${inSentence(words, shown)}` : words.rounds.title,
        canonical: search === '' ? base : `${base}?${search}`,
        followed,
        hint: elsewhere(site, tournament, base, followed, row.followed, stage?.id),
        live: { revision: row.revision, tag: sharedTags(site, path, asked).tag(revisionsOf(row)) },
        main: html`<section aria-labelledby="round">
${
  shown
    ? roundSection(site, base, shown, stages)
    : html`<h2 id="round">${words.rounds.title}</h2>
${stages.length > 1 && roundSteps(site, base, stages, undefined, query)}
<p class="empty">${stage === undefined ? words.rounds.noneBegun : words.rounds.noneOfPart}</p>`
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
  followed: string | undefined;
  begun: number;
  byes: (Bye & Pick<Identity, 'guest'>)[];
  /** Of a bracket: the matches of each round. */
  matches: ReadonlyMap<number, PlacedMatch[]>;
}

function withIds(
  site: SiteSettings,
  { slug }: ShownTournament,
  stage: Stage,
  play: Play,
  { standings, details }: RoundsRow,
): Pick<ShownRound, 'byes' | 'matches'> {
  const guests = guestsIn(site, slug, details);
  const data = standings === null ? [] : (JSON.parse(standings) as BracketStandings).data;
  const placed = matchesOf(bracketOf(data, play, stage.rounds ?? 0, guests));
  return {
    byes: withGuests(play.byes ?? [], guests.byes),
    matches: Map.groupBy(placed, ({ inRound }) => inRound),
  };
}

/** The rounds of a bracket have names. */
function roundLabel(words: Words, matches: ShownRound['matches'], round: number): string {
  const own = matches.get(round);
  return own === undefined
    ? words.rounds.round(round)
    : roundName(words, [...new Set(own.map((match) => match.round))], own.length);
}

function inSentence(words: Words, { row: { rounds }, matches }: ShownRound): string {
  const [first = 1, last = first] = [rounds[0], rounds.at(-1)];
  if (rounds.length > 1) return words.rounds.severalInSentence(first, last);
  return matches.has(first) ? roundLabel(words, matches, first) : words.rounds.inSentence(first);
}

function roundSection(site: SiteSettings, base: string, shown: ShownRound, stages: readonly Stage[]): Html {
  const { words } = site;
  const { stage, row, begun, play, query, followed } = shown;
  const isShown = isOfRound(shown);
  const battles = (row.battles ?? []).filter(({ battle }) => isShown(battle));
  const all = [...matchesOfRound(site, shown, battles)];
  const byes = shown.byes.filter(isShown);
  const results = all.filter(({ state }) => state === 'over').length;
  const scenarios = new Set(battles.map(({ battle }) => battle.scenario ?? ''));
  const [scenario = ''] = scenarios.size === 1 ? scenarios : [];
  const expected = expectedOf(shown, all.length);
  const facts = [
    ...(scenario === '' ? [] : [name(scenario)]),
    expected === null ? words.rounds.resultsIn(results) : words.rounds.resultsOfIn(results, expected),
  ];
  const rounds = {
    stage,
    shown: row.rounds,
    begun,
    // A phone has room for the numbers.
    labelOf: (round: number) =>
      shown.matches.has(round)
        ? name(roundLabel(words, shown.matches, round))
        : html`<span class="word">${words.rounds.roundWord} </span>${round}`,
    areMany: new Set(play.now?.map(({ round }) => round)).size > 1,
  };
  return html`<div class="rounds-head">
${roundSteps(site, base, stages, rounds, query)}
<div class="heading"><h2 id="round">${name(stage.name)}, ${inSentence(words, shown)} <span class="sub">${joined(facts, ' · ')}${site.savedAt === undefined && html`<span class="paper-only">${site.siteUrl}${site.ownPath}${base}</span>`}</span></h2>
${all.length >= fewTables && orderSteps(site, base, query)}</div>
</div>
${query['by'] === 'player' ? byPlayer(words, peopleOfRound(all, byes), followed) : byTable(site, all, byes, followed)}`;
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

function byPlayer(words: Words, people: readonly PersonOfRound[], followed: string | undefined): Html {
  const mine = people.filter((each) => isFollowed(each, followed));
  return html`<ol class="people mine-top">${mine.map((each) => personRow(words, each, '', followed))}</ol>
${peopleList(words, people, followed)}`;
}

/** Of a bracket first its matches, which need no battle. Then the battles that no match names. */
function* matchesOfRound(
  site: SiteSettings,
  { tournament, play, row, matches }: ShownRound,
  shown: readonly ShownBattle[],
): Generator<ShownMatch> {
  const isFinished = tournament.status === 'finished';
  const missing = new Set(play.missing);
  const battles = battlesById(site, shown);
  const isPast = isFinished || play.now?.length === 0;
  for (const match of row.rounds.flatMap((round) => matches.get(round) ?? [])) {
    yield bracketMatch(site, match, battles, isPast);
  }
  const named = new Set([...matches.values()].flat().map(({ battle }) => battle));
  for (const each of shown) {
    if (named.has(each.battle.id)) continue;
    const box = pairing(site, each, isFinished || missing.has(each.battle.id));
    yield row.rounds.length > 1 ? { ...box, note: site.words.rounds.round(each.battle.round ?? 0) } : box;
  }
}
