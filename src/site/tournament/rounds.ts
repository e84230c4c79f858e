import type { Stage } from '../../contract/tournament.ts';
import {
  type BattleView,
  type BracketView,
  type Bye,
  type MatchView,
  type NowView,
  pairingsOf,
} from '../../published/views.ts';
import { html, joined, type Html } from '../html.ts';
import { type PageRequest, isRound, isSlug, type PageRoute } from '../page.ts';
import { bracketMatch } from '../bracket/bracket.ts';
import { currentRoundName } from '../parts/current-round.ts';
import { battlesIn } from '../tournament-parts/battles-in.ts';
import type { ShownMatch } from '../match/card.ts';
import { type Identity, withGuest } from '../parts/guests.ts';
import { name } from '../parts/names.ts';
import { battleBox } from '../match/pairing.ts';
import { orderSteps, roundSteps } from './round-steps.ts';
import { peopleKey, peopleList, participantsOfRound } from '../tournament-parts/people-of-round.ts';
import { byTable } from './tables-of-round.ts';
import {
  revisionsOf,
  shownClub,
  shownTournament,
  type ShownTournament,
  tournamentFrame,
  shownBracket,
  noLongerOpen,
} from '../tournament-parts/tournament-frame.ts';
import { revisionTags } from '../parts/revision-tag.ts';
import { asksForSomebody, whosePage, whosePageParameters } from '../tournament-parts/whose-page.ts';
import type { SiteSettings } from '../site-settings.ts';
import type { Words } from '../words/en.ts';
import { roundOfPage, type RoundsRow } from '../tournament-parts/statements.ts';

/**
 * Shows the pairings of the round that is being played, or of the one that the query names. They are sorted
 * by table, or by player to be printed and hung on the wall.
 */
export function tournamentRoundsPage(site: SiteSettings): PageRoute {
  const path = '/tournaments/:slug/rounds';
  return {
    path,
    query: ['stage', 'round', 'by', ...whosePageParameters],
    scope: ({ slug }) => `tournament:${slug}`,
    make: async (asked) => {
      const { params, query, read } = asked;
      if (!isSlug(params['slug']) || !(query['round'] === undefined || isRound(query['round'])))
        return undefined;
      if (asksForSomebody(query)) return whosePage(site, asked);
      if (![undefined, 'player'].includes(query['by'])) return undefined;
      const tags = revisionTags(site, path, asked);
      const { stage: inStage = null, round = null } = query;
      const values = [params['slug'], inStage, round, tags.held];
      const [row] = await read<RoundsRow>(roundOfPage, values, ([first]) => (first ? shownClub(first) : []));
      if (row === undefined) return undefined;
      const tag = tags.tag(revisionsOf(row));
      if (row.document === null) return { text: undefined, tag };
      const tournament = shownTournament(site, row, row.document, asked.today);
      const stages = tournament.stages.filter(({ rounds }) => rounds !== undefined);
      const stage = stages.find(({ id }) => id === row.stage);
      const { begun = 0, byes = [] } = tournament.played.find(({ id }) => id === row.stage) ?? {};
      if (query['stage'] !== undefined && stage === undefined) return undefined;
      if (query['round'] !== undefined && Number(query['round']) > begun) return undefined;
      const base = `${tournament.path}/rounds`;
      const { words } = site;
      const shown: ShownRound | undefined =
        stage && begun > 0
          ? {
              tournament,
              stage,
              now: tournament.now.find((each) => each.stage === stage.id),
              row,
              query,
              begun,
              byes: byes.map((bye) => withGuest(site, tournament.slug, bye)),
              matches: matchesIn(tournament, row.bracket),
            }
          : undefined;
      const search = new URLSearchParams(query as Record<string, string>).toString();
      const text = tournamentFrame(site, tournament, {
        tab: 'rounds',
        title: shown ? `${shown.stage.name}, ${inSentence(words, shown)}` : words.rounds.title,
        canonical: search === '' ? base : `${base}?${search}`,
        live: tag,
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
  /** Undefined if nothing of the stage is being played. */
  now: NowView | undefined;
  row: RoundsRow;
  query: PageRequest['query'];
  begun: number;
  byes: (Bye & Pick<Identity, 'guest'>)[];
  /** The matches of each round, if the stage is a bracket. */
  matches: ReadonlyMap<number, MatchView[]>;
}

/** Returns the matches of each round. */
function matchesIn(tournament: ShownTournament, bracket: string | null): ShownRound['matches'] {
  const { matches } =
    bracket === null ? { matches: [] } : shownBracket(tournament, JSON.parse(bracket) as BracketView);
  return Map.groupBy(matches, ({ round }) => round);
}

/** Returns the name of a round. Only rounds of a bracket have one, the others have a number. */
function roundLabel(words: Words, matches: ShownRound['matches'], round: number): string {
  const own = matches.get(round);
  return own === undefined
    ? words.rounds.round(round)
    : currentRoundName(words, [...new Map(own.map(({ title }) => [title.name, title])).values()], own.length);
}

function inSentence(words: Words, { row: { rounds }, matches }: ShownRound): string {
  const [first = 1, last = first] = [rounds[0], rounds.at(-1)];
  if (rounds.length > 1) return words.rounds.severalInSentence(first, last);
  return matches.has(first) ? roundLabel(words, matches, first) : words.rounds.inSentence(first);
}

function roundSection(site: SiteSettings, base: string, shown: ShownRound, stages: readonly Stage[]): Html {
  const { words } = site;
  const { tournament, stage, row, begun, now, query } = shown;
  const isShown = isOfRound(shown);
  const battles = battlesIn(row.battles).filter(isShown);
  const all = [...matchesOfRound(site, shown, battles)];
  const byes = shown.byes.filter(isShown);
  const results = all.filter(({ state }) => state === 'over').length;
  const scenarios = new Set(battles.map((battle) => battle.scenario ?? ''));
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
    // The word is an element of its own, beside the number that a phone has room for.
    labelOf: (round: number) =>
      shown.matches.has(round)
        ? name(roundLabel(words, shown.matches, round))
        : html`<span class="word">${words.rounds.roundWord} </span>${round}`,
    areMany: new Set(now?.now.map(({ round }) => round)).size > 1,
  };
  return html`<div class="rounds-head">
${roundSteps(site, base, stages, rounds, query)}
<div class="heading"><h2 id="round">${name(stage.name)}, ${inSentence(words, shown)} <span class="sub">${joined(facts, ' · ')}${site.savedAt === undefined && html`<span class="paper-only">${site.siteUrl}${site.ownPath}${base}</span>`}</span></h2>
${all.length >= fewTables && orderSteps(site, base, query)}</div>
</div>
${
  query['by'] === 'player'
    ? html`${peopleKey(words, all, byes)}
<ol class="rows people mine-top"></ol>
${peopleList(site, participantsOfRound(all, byes))}`
    : byTable(site, tournament, all, byes)
}`;
}

/** From this many tables on, readers can switch to the list by name. */
const fewTables = 5;

/**
 * Returns how many results there will be. In the round that is being played, more battles may come than the
 * feed has named so far.
 */
function expectedOf({ now, row: { rounds } }: ShownRound, told: number): number | null {
  const isCurrent = rounds.length > 1 || now?.now.every(({ round }) => round === rounds[0]);
  return now !== undefined && isCurrent ? now.total.expected : told;
}

/**
 * Returns a filter for what belongs to the page: one round, or the battles of each group in the group's own
 * round.
 */
function isOfRound({ now, row: { rounds, pairings } }: ShownRound) {
  const roundOf = new Map(now?.now.map(({ group, round }) => [group, round]));
  const played = pairingsOf(pairings ?? '[]').flatMap(({ done, open }) => [...done, ...open]);
  const ids = new Set([...played.map(({ battle }) => battle), ...(now?.missing ?? [])]);
  return (each: BattleView | Bye): boolean => {
    if ('battle' in each) return rounds.length === 1 || ids.has(each.battle ?? '');
    return rounds.includes(each.round) && (rounds.length === 1 || roundOf.get(each.group) === each.round);
  };
}

/** Returns the matches of a bracket first, which need no battle, and then the battles that no match names. */
function* matchesOfRound(
  site: SiteSettings,
  { tournament, now, row, matches }: ShownRound,
  battles: readonly BattleView[],
): Generator<ShownMatch> {
  // What a planned tournament has paired will still be played. Otherwise nothing more comes in a stage in which
  // nothing is being played.
  const { status, past } = tournament;
  const isPast = status === 'finished' || past !== undefined || (status === 'ongoing' && now === undefined);
  const missing = new Set(now?.missing);
  for (const match of row.rounds.flatMap((round) => matches.get(round) ?? [])) {
    yield bracketMatch(site, tournament.slug, match);
  }
  const named = new Set([...matches.values()].flat().map(({ battle }) => battle));
  for (const battle of battles) {
    if (named.has(battle.battle)) continue;
    const isMissing = isPast || missing.has(battle.battle ?? '');
    const box = battleBox(site, tournament.slug, isMissing ? noLongerOpen(battle) : battle);
    yield row.rounds.length > 1 ? { ...box, note: site.words.rounds.round(battle.round) } : box;
  }
}
