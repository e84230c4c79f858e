import type { BracketStandings } from '../../contract/standings.ts';
import type { Stage } from '../../contract/tournament.ts';
import { fold } from '../../text/fold.ts';
import { html, joined, type Html } from '../html.ts';
import { type Asked, isFollowed, isRound, isSlug, type PageRoute } from '../page.ts';
import { bracketMatch, battlesById } from '../parts/bracket.ts';
import { bracketOf, matchesOf, type PlacedMatch, type Play } from '../parts/bracket-tree.ts';
import { roundName } from '../parts/current-round.ts';
import { isOf, matchBox, type ShownMatch, walkoverKey } from '../parts/match.ts';
import { name, person } from '../parts/names.ts';
import { counted } from '../parts/numbers.ts';
import { addressOf } from '../parts/pager.ts';
import { pairing } from '../parts/pairing.ts';
import { peopleList, peopleOfRound, type PersonOfRound, personRow } from '../parts/people-of-round.ts';
import {
  revisionsOf,
  shownClub,
  shownTournament,
  type ShownTournament,
  tournamentFrame,
} from '../parts/tournament-frame.ts';
import { isCurrent } from '../parts/tabs.ts';
import { revisionTags, sharedTags } from '../revision-tag.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { roundOfPage, type RoundsRow } from '../statements/tournament.ts';

/**
 * The pairings of one round: of the one that is played, or of the one that the query names. By table, or by player: that is
 * printed and hung on the wall, and shown on a screen in the hall.
 */
export function tournamentRoundsPage(site: SiteSettings): PageRoute {
  const path = '/tournaments/:slug/rounds';
  return {
    path,
    query: ['stage', 'round', 'by', 'name', 'player'],
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
      const values = [params['slug'], query['stage'] ?? null, query['round'] ?? null, tags.held];
      const [row] = await read<RoundsRow>(roundOfPage, values, ([first]) => (first ? shownClub(first) : []));
      if (row === undefined) return undefined;
      const tag = tags.tag(revisionsOf(row));
      if (row.document === null) return { text: undefined, tag };
      const tournament = shownTournament(row, row.document);
      const stages = tournament.stages.filter(({ rounds }) => rounds !== undefined);
      const stage = stages.find(({ id }) => id === row.stage);
      const play = JSON.parse(row.play ?? '{}') as Play;
      const begun = play.begun ?? stage?.rounds ?? 0;
      if (query['stage'] !== undefined && stage === undefined) return undefined;
      if (query['round'] !== undefined && row.round > begun) return undefined;
      const base = `${tournament.path}/rounds`;
      const { name: _name, player, ...shared } = query;
      const shown: ShownRound | undefined =
        stage && begun > 0
          ? { tournament, stage, play, row, query, begun, rounds: roundsOf(stage, play, row) }
          : undefined;
      const search = new URLSearchParams(shared as Record<string, string>).toString();
      const text = tournamentFrame(site, tournament, {
        tab: 'rounds',
        kind: 'hall',
        title: shown ? `${shown.stage.name}, ${inSentence(shown)}` : 'Rounds',
        canonical: search === '' ? base : `${base}?${search}`,
        followed: player,
        isPrivate: query['name'] !== undefined,
        tag: sharedTags(site, path, asked).tag(revisionsOf(row)),
        main: html`<section aria-labelledby="round">
${
  shown
    ? roundSection(site, base, shown, stages)
    : html`<h2 id="round">Rounds</h2>
${stages.length > 1 && stageSteps(site, base, stages, stage, query)}
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
  rounds: ReadonlyMap<number, PlacedMatch[]>;
}

function roundsOf(stage: Stage, play: Play, { standings }: RoundsRow): ShownRound['rounds'] {
  if (standings === null) return new Map();
  const { data } = JSON.parse(standings) as BracketStandings;
  return Map.groupBy(matchesOf(bracketOf(data, play, stage.rounds ?? 0)), ({ inRound }) => inRound);
}

/** The rounds of a bracket have names. */
function roundLabel({ rounds }: ShownRound, round: number): string {
  const matches = rounds.get(round);
  return matches === undefined
    ? `Round ${round}`
    : roundName([...new Set(matches.map((match) => match.round))], matches.length);
}

function inSentence(shown: ShownRound): string {
  const label = roundLabel(shown, shown.row.round);
  return shown.rounds.has(shown.row.round) ? label : label.toLowerCase();
}

function roundSection(site: SiteSettings, base: string, shown: ShownRound, stages: readonly Stage[]): Html {
  const { stage, row, play, query } = shown;
  const all = [...matchesOfRound(site, shown)];
  const byes = (play.byes ?? []).filter(({ round }) => round === row.round);
  const results = all.filter(({ state }) => state === 'over').length;
  const scenarios = new Set((row.battles ?? []).map(({ battle }) => battle.scenario ?? ''));
  const [scenario = ''] = scenarios.size === 1 ? scenarios : [];
  const facts = [
    ...(scenario === '' ? [] : [name(scenario)]),
    `${results} of ${counted(all.length, 'result')} in`,
  ];
  const wanted = fold(query['name'] ?? '');
  const isWanted = ({ player }: { player?: string | undefined }) => fold(player ?? '').includes(wanted);
  const people = peopleOfRound(all, byes).filter(isWanted);
  const matches = all.filter(({ sides }) => sides.some(isWanted));
  return html`<div class="rounds-head">
<h2 id="round">${name(stage.name)}, ${inSentence(shown)} <span class="sub">${joined(facts, ' · ')}<span class="paper-only">${site.siteUrl}${base}</span></span></h2>
${stages.length > 1 && stageSteps(site, base, stages, stage, query)}
<div class="turn">${roundSteps(site, base, shown)}
${orderSteps(site, base, query)}</div>
${filter(site, base, query)}
</div>
${query['by'] === 'player' ? byPlayer(people, query) : byTable(site, matches, byes.filter(isWanted), query)}
${wanted !== '' && people.length === 0 && html`<p class="empty">Nobody in this round has a name with “${name(query['name'] ?? '')}”.</p>`}`;
}

type Query = Asked['query'];

function stageSteps(
  site: SiteSettings,
  base: string,
  stages: readonly Stage[],
  shown: Stage | undefined,
  { by, player }: Query,
): Html {
  return steps(
    'Stages',
    stages.map(({ id, name: label }) => ({
      address: addressOf(site, base, { stage: id, by, player }),
      label,
      isShown: id === shown?.id,
    })),
  );
}

function roundSteps(site: SiteSettings, base: string, shown: ShownRound): Html {
  const { stage, row, begun, query } = shown;
  return steps(
    'Rounds',
    roundsNear(row.round, begun).map((round) => ({
      address: addressOf(site, base, {
        stage: stage.id,
        round: String(round),
        by: query['by'],
        player: query['player'],
      }),
      label: roundLabel(shown, round),
      isShown: round === row.round,
    })),
  );
}

/** Without a round in the address, a screen in the hall goes on with the event. */
function orderSteps(site: SiteSettings, base: string, { name: _name, ...query }: Query): Html {
  return steps('Order', [
    {
      address: addressOf(site, base, { ...query, by: undefined }),
      label: 'By table',
      isShown: query['by'] === undefined,
    },
    {
      address: addressOf(site, base, { ...query, by: 'player' }),
      label: 'By player A–Z',
      isShown: query['by'] === 'player',
    },
  ]);
}

function steps(label: string, links: readonly { address: string; label: string; isShown: boolean }[]): Html {
  return html`<nav class="tabs steps" aria-label="${label}"><ul>${links.map(
    (link) => html`
<li><a href="${link.address}"${link.isShown && isCurrent}>${name(link.label)}</a></li>`,
  )}
</ul></nav>`;
}

/** The script filters while one types. Without it, the server does. */
function filter(site: SiteSettings, base: string, query: Query): Html {
  const { name: text = '', ...others } = query;
  return html`<form class="filter" action="${pathTo(site, base)}" role="search"><label class="vh" for="filter">Find a name</label><input id="filter" type="search" name="name" placeholder="Find a name" autocomplete="off" maxlength="100" value="${text}">${Object.entries(others).map(([key, value]) => html`<input type="hidden" name="${key}" value="${value}">`)}<button type="submit">Find</button></form>`;
}

/** All of an ordinary event. A feed can name round 10,000 by mistake: then the first, the last, and those around the shown one. */
function roundsNear(shown: number, begun: number): number[] {
  const from = Math.max(1, Math.min(shown - 10, begun - 20));
  const near = Array.from({ length: Math.min(begun, 21) }, (_, index) => from + index);
  return [...new Set([1, ...near, begun])];
}

function byPlayer(people: readonly PersonOfRound[], { player }: Query): Html {
  const mine = people.filter(({ playerId }) => player !== undefined && playerId === player);
  return html`<ol class="people mine-top">${mine.map((each) => personRow(each, '', player))}</ol>
${peopleList(people, player)}`;
}

function byTable(
  site: SiteSettings,
  matches: readonly ShownMatch[],
  byes: NonNullable<Play['byes']>,
  { player }: Query,
): Html {
  const inState = (wanted: ShownMatch['state']) => matches.filter(({ state }) => state === wanted);
  const mine = matches.filter((match) => isOf(match, player));
  const walkovers = matches.some(({ sides }) => sides.some(({ score }) => score === 'w/o'));
  return html`<ol class="flat mine-top">${mine.map((match) => html`<li>${matchBox(match, player)}</li>`)}</ol>
<div class="rounds">
${boxes('No result yet', inState('open'), player)}
${boxes('Waiting', inState('wait'), player)}
${boxes('Result missing', inState('missing'), player)}
${boxes('Results', inState('over'), player)}
${
  byes.length > 0 &&
  html`<section>
<h3>Byes</h3>
<ul class="comers">${byes.map(
    (bye) => html`
<li>${person(site, bye)}</li>`,
  )}
</ul>
</section>`
}
</div>
<p class="sub">Numbers behind names are victory points${walkovers ? walkoverKey : '.'}</p>`;
}

function boxes(title: string, matches: readonly ShownMatch[], player: string | undefined): Html | false {
  if (matches.length === 0) return false;
  return html`<section>
<h3>${title}</h3>
<ol class="pairings">${matches.map(
    (match) => html`
<li>${matchBox(match, player)}</li>`,
  )}
</ol>
</section>`;
}

function byItsTable(shown: ShownMatch, { table, number }: PlacedMatch): ShownMatch {
  const [first, second] = shown.sides;
  // Until there is a result, the table stands there.
  const sides: ShownMatch['sides'] =
    shown.state === 'open' ? [{ ...first, score: undefined }, second] : shown.sides;
  return { ...shown, sides, lead: { word: 'Table', number: table }, note: `Match ${number}` };
}

/** Of a bracket first its matches, which need no battle. Then the battles that no match names. */
function* matchesOfRound(
  site: SiteSettings,
  { tournament, play, row, rounds }: ShownRound,
): Generator<ShownMatch> {
  const isFinished = tournament.status === 'finished';
  const missing = new Set(play.missing);
  const battles = battlesById(row.battles);
  const isPast = isFinished || play.now?.length === 0;
  for (const match of rounds.get(row.round) ?? []) {
    const shown = bracketMatch(site, match, battles, isPast);
    // People in the hall look for their table.
    yield match.table > 0 ? byItsTable(shown, match) : shown;
  }
  const named = new Set([...rounds.values()].flat().map(({ battle }) => battle));
  for (const each of row.battles ?? []) {
    if (!named.has(each.battle.id)) yield pairing(site, each, isFinished || missing.has(each.battle.id));
  }
}
