import type { BracketStandings } from '../../contract/standings.ts';
import type { Stage } from '../../contract/tournament.ts';
import { html, joined, type Html } from '../parts/html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { maxOpen, maxResults } from './statement-parts.ts';
import type { NowRow, ShownBattle } from '../tournament/statements.ts';
import { battlesById, bracketMatch, isPlayed, winnerOf, withoutFactions } from '../bracket/bracket.ts';
import { bracketOf, matchesOf, type PlacedMatch, type Play } from '../bracket/tree.ts';
import { isOver, played, type PlayedStage, resultsIn, roundTitle, totalOf } from './current-round.ts';
import { isOf, isPlaying, matchBox, onTop, type ShownMatch } from '../tournament/match.ts';
import { name } from '../parts/names.ts';
import { counted, number } from '../parts/numbers.ts';
import { pairing } from '../tournament/pairing.ts';
import type { ShownTournament } from '../tournament/tournament-frame.ts';

/** What is played at this moment: a section for each stage that is. Undefined when the event does not run. */
export function nowSections(
  site: SiteSettings,
  tournament: ShownTournament,
  row: NowRow,
  followed: string | undefined,
): Html | undefined {
  if (tournament.playing === undefined) return undefined;
  const sections = tournament.playing.map((each, index) => {
    const stage = tournament.stages.find(({ id }) => id === each.stage);
    return (
      stage &&
      nowSection(site, tournament, stage, each, row, followed, index === 0 ? 'now' : `now-${index + 1}`)
    );
  });
  if (sections.length > 0) return html`${sections}`;
  return html`<section class="now" aria-labelledby="now">
<h2 id="now">Now</h2>
<p class="meta">No round is paired yet.</p>
</section>`;
}

/** What a section shows of its stage. */
interface Shown {
  scenario: string | undefined;
  /** The first ones, or all. */
  open: ShownMatch[];
  results: ShownMatch[];
  missing: ShownBattle[];
  /** How many there are. */
  counts: { open: number; results: number };
}

/** So that page and fragment stay short. The round has a page of its own. */
const maxMissing = 3;
const maxOnPhone = 6;

function maxOf({ playing = [] }: ShownTournament): { open: number; results: number } {
  return playing.length > 2 ? { open: 3, results: 2 } : { open: maxOpen, results: maxResults };
}

function nowSection(
  site: SiteSettings,
  tournament: ShownTournament,
  stage: Stage,
  playedStage: PlayedStage,
  row: NowRow,
  followed: string | undefined,
  id: string,
): Html {
  const { now } = playedStage;
  const shown = stage.type === 'bracket' ? ofBracket(site, stage, row) : ofBoard(site, playedStage, row);
  const subs = [
    ...(tournament.stages.length > 1 ? [name(stage.name)] : []),
    ...(shown.scenario === undefined ? [] : [name(shown.scenario)]),
  ];
  const round = Math.min(...played(now).map((each) => each.round));
  const all = pathTo(site, `${tournament.path}/rounds?stage=${encodeURIComponent(stage.id)}&round=${round}`);
  const most = maxOf(tournament);
  const mine = [...shown.open, ...shown.results].find((match) => isOf(match, followed));
  const { counts } = shown;
  const list = (heading: string, of: 'open' | 'results', link: string) =>
    counts[of] > 0 &&
    html`
<section>
<h3>${heading}</h3>
<ol class="flat${of === 'open' && ' cols'}">${shown[of].slice(0, most[of]).map(
      (match) => html`
<li${match === mine && onTop}>${matchBox(match, followed)}</li>`,
    )}
</ol>
${counts[of] > most[of] && html`<p class="all-of"><a href="${all}">${link}</a></p>`}
</section>`;
  const tables = `All ${counted(counts.open, 'open table')}`;
  // A phone has no room for many tables: it shows the ways to them.
  const isCalm = counts.open > maxOnPhone;
  return html`<section class="now${isCalm && ' calm'}" aria-labelledby="${id}">
<div class="head"><h2 id="${id}">${roundTitle(stage, now)} ${subs.length > 0 && html`<span class="sub">${joined(subs, ' · ')}</span>`}</h2><span class="sub">${resultsIn(playedStage)}</span></div>
${meter(playedStage)}
${groupLines(site, tournament, stage, playedStage)}
<ol class="flat mine-top">${mine && html`<li>${matchBox(mine, followed)}</li>`}</ol>
${counts.open === 0 && html`<p class="meta">${whatIsNext(tournament, stage, playedStage)}</p>`}
${isCalm && html`<p class="ways"><a href="${all}">${counted(counts.open, 'table')} still playing</a>${counts.results > 0 && html`<a href="${all}">${counted(counts.results, 'result')}</a>`}${shown.scenario !== undefined && html`<span class="sub">${name(shown.scenario)}</span>`}</p>`}
<div class="grow">${list(shown.open.some(isPlaying) ? 'Playing' : 'No result yet', 'open', tables)}${list('Results of this round', 'results', `All ${counts.results} results`)}
</div>
${missingLine(site, shown.missing, playedStage.missing)}
</section>
`;
}

/** None while we do not know how many games there will be. */
function meter(playedStage: PlayedStage): Html | false {
  const { results, expected } = totalOf(playedStage);
  if (expected === null) return false;
  return html`<svg class="meter" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="all" width="100" height="8"/><rect class="part" width="${((100 * results) / Math.max(expected, 1)).toFixed(1)}" height="8"/></svg>`;
}

/** Each group is in a round of its own. */
function groupLines(
  site: SiteSettings,
  { path }: ShownTournament,
  stage: Stage,
  { now }: PlayedStage,
): Html | false {
  if (now[0]?.group === undefined) return false;
  const rounds = pathTo(site, `${path}/rounds?stage=${encodeURIComponent(stage.id)}`);
  return html`<ul class="meta">${now.map(
    (each) => html`
<li><a href="${rounds}&amp;round=${each.round}">${name(each.group ?? '')}</a>: ${each.isOver ? 'all results in' : `round ${each.round}, ${resultsIn({ now: [each], total: each })}`}</li>`,
  )}
</ul>`;
}

/** When no game is open. */
function whatIsNext({ stages, playing }: ShownTournament, stage: Stage, { now }: PlayedStage): Html | string {
  const last = Math.max(...now.map(({ round }) => round));
  const rounds = stage.rounds ?? last;
  if (!isOver(now)) {
    if (stage.type === 'bracket') return 'The next match is not paired yet.';
    return now.some(({ expected }) => expected === null)
      ? 'The other games of this round are not known yet.'
      : 'All players of this round have dropped.';
  }
  if (last < rounds) {
    return stage.type === 'board'
      ? `Round ${last + 1} of ${rounds} is not paired yet.`
      : 'The next round is not paired yet.';
  }
  const next = stages
    .slice(stages.indexOf(stage) + 1)
    .find(({ id }) => !playing?.some((each) => each.stage === id));
  const allRounds = rounds === 1 ? 'The round is over.' : `All ${counted(rounds, 'round')} are over.`;
  const over = stage.type === 'board' ? allRounds : 'All matches are over.';
  return next === undefined ? over : html`${over} ${name(next.name)} is not paired yet.`;
}

function ofBoard(site: SiteSettings, { stage, now }: PlayedStage, { current }: NowRow): Shown {
  const own = (current ?? []).filter((each) => each.stage === stage);
  const open = new Set(now.flatMap((each) => each.open ?? []));
  const done = new Set(played(now).flatMap((each) => each.done));
  const all = new Set(now.flatMap((each) => each.done));
  const rounds = new Set(played(now).map(({ round }) => round));
  const scenarios = new Set(played(now).map((each) => each.scenario));
  const box = (each: ShownBattle) => withoutFactions(pairing(site, each));
  const late = (each: ShownBattle) => ({
    ...box(each),
    note: rounds.has(each.battle.round ?? 0) ? undefined : `Round ${each.battle.round}`,
  });
  return {
    scenario: scenarios.size === 1 ? [...scenarios][0] : undefined,
    counts: { open: open.size, results: done.size },
    open: own
      .filter(({ battle }) => open.has(battle.id))
      .toSorted((a, b) => (b.battle.round ?? 0) - (a.battle.round ?? 0))
      .map(late),
    results: own.filter(({ battle }) => done.has(battle.id)).map(box),
    missing: own.filter(({ battle }) => !all.has(battle.id) && !open.has(battle.id)),
  };
}

/** Every match with two known players, of any round, and those that one player waits in. */
function ofBracket(site: SiteSettings, stage: Stage, row: NowRow): Shown {
  const found = row.brackets?.find((each) => each.stage === stage.id);
  if (found === undefined) return nothing;
  const { data } = JSON.parse(found.document) as BracketStandings;
  const play = JSON.parse(found.play) as Play;
  const battles = battlesById(row.current);
  const matches = matchesOf(bracketOf(data, play, stage.rounds ?? 0));
  const box = (match: PlacedMatch): ShownMatch => ({
    ...withoutFactions(bracketMatch(site, match, battles)),
    lead: match.table > 0 ? { word: 'Table', number: match.table } : undefined,
    note: undefined,
  });
  const called = (match: PlacedMatch) => html`${name(match.round)}, match ${match.number}`;
  const rounds = new Set(play.now?.map(({ round }) => round));
  const open = matches.filter((match) => match.players.length === 2 && !isPlayed(match, battles));
  const results = matches.filter((match) => rounds.has(match.inRound) && isPlayed(match, battles));
  const shown = [
    ...open.map((match) => ({ ...box(match), note: called(match) })),
    ...matches.flatMap((match) => {
      const sides = waiting(match);
      return sides ? [{ address: undefined, state: 'wait' as const, sides, note: called(match) }] : [];
    }),
  ];
  return {
    ...nothing,
    open: shown,
    results: results.map(box),
    counts: { open: shown.length, results: results.length },
  };
}

const nothing: Shown = {
  scenario: undefined,
  open: [],
  results: [],
  missing: [],
  counts: { open: 0, results: 0 },
};

/** One player is known, the other match is still to be played. */
function waiting({ players, winner, feeders }: PlacedMatch): ShownMatch['sides'] | undefined {
  const known = feeders.find((feeder) => feeder.winner !== null);
  const other = feeders.find((feeder) => feeder.winner === null);
  if (players.length === 2 || winner !== null || known === undefined || other === undefined) return undefined;
  return [winnerOf(known), { from: html`waiting for match ${other.number}` }];
}

function missingLine(site: SiteSettings, missing: readonly ShownBattle[], count: number): Html | false {
  if (missing.length === 0) return false;
  const links = missing.slice(0, maxMissing).map(({ table, battle }) => {
    const where = table === null ? '' : `, table ${table}`;
    return html`<a href="${pathTo(site, `/battles/${battle.id}`)}">round ${battle.round}${where}</a>`;
  });
  const more = count - links.length;
  return html`<p class="sub">${count === 1 ? 'Result' : 'Results'} missing: ${joined(links, '; ')}${more > 0 && ` and ${number(more)} more`}</p>`;
}
