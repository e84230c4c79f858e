import type { BracketStandings } from '../../contract/standings.ts';
import type { Stage } from '../../contract/tournament.ts';
import { matchesNow } from '../../read/matches-now.ts';
import { html, joined, type Html } from '../parts/html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { maxOpen, maxResults } from '../../read/tournament-parts.ts';
import type { NowRow, ShownBattle } from '../tournament/statements.ts';
import { battlesById, bracketMatch, winnerOf, withoutFactions } from '../bracket/bracket.ts';
import { bracketOf, matchesOf, type PlacedMatch, type Play } from '../bracket/tree.ts';
import { isOver, played, type PlayedStage, resultsIn, roundTitle, totalOf } from './current-round.ts';
import { isOf, isPlaying, matchBox, onTop, type ShownMatch } from '../tournament/match.ts';
import { guestsIn } from '../parts/guests.ts';
import { name } from '../parts/names.ts';
import { pairing } from '../tournament/pairing.ts';
import type { Words } from '../words/en.ts';
import { matchName } from '../words/stored.ts';
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
<h2 id="now">${site.words.now.now}</h2>
<p class="meta">${site.words.now.noRound}</p>
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
  const { words } = site;
  const said = words.now;
  const { now } = playedStage;
  const shown =
    stage.type === 'bracket' ? ofBracket(site, tournament.slug, stage, row) : ofBoard(site, playedStage, row);
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
<li${match === mine && onTop}>${matchBox(words, match, followed)}</li>`,
    )}
</ol>
${counts[of] > most[of] && html`<p class="all-of"><a href="${all}">${link}</a></p>`}
</section>`;
  // A phone has no room for many tables: it shows the ways to them.
  const isCalm = counts.open > maxOnPhone;
  return html`<section class="now${isCalm && ' calm'}" aria-labelledby="${id}">
<div class="head"><h2 id="${id}">${roundTitle(words, stage, now)} ${subs.length > 0 && html`<span class="sub">${joined(subs, ' · ')}</span>`}</h2><span class="sub">${resultsIn(words, playedStage)}</span></div>
${meter(playedStage)}
${groupLines(site, tournament, stage, playedStage)}
<ol class="flat mine-top">${mine && html`<li>${matchBox(words, mine, followed)}</li>`}</ol>
${counts.open === 0 && html`<p class="meta">${whatIsNext(words, tournament, stage, playedStage)}</p>`}
${isCalm && html`<p class="ways"><a href="${all}">${said.stillPlaying(counts.open)}</a>${counts.results > 0 && html`<a href="${all}">${said.results(counts.results)}</a>`}${shown.scenario !== undefined && html`<span class="sub">${name(shown.scenario)}</span>`}</p>`}
<div class="grow">${list(shown.open.some(isPlaying) ? said.playing : said.noResult, 'open', said.allOpen(counts.open))}${list(said.ofThisRound, 'results', said.allResults(counts.results))}
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
  const { words } = site;
  const said = words.now;
  const rounds = pathTo(site, `${path}/rounds?stage=${encodeURIComponent(stage.id)}`);
  return html`<ul class="meta">${now.map(
    (each) => html`
<li><a href="${rounds}&amp;round=${each.round}">${name(each.group ?? '')}</a>: ${each.isOver ? said.allIn : `${words.rounds.inSentence(each.round)}, ${resultsIn(words, { now: [each], total: each })}`}</li>`,
  )}
</ul>`;
}

/** When no game is open. */
function whatIsNext(
  { now: said }: Words,
  { stages, playing }: ShownTournament,
  stage: Stage,
  { now }: PlayedStage,
): Html | string {
  const last = Math.max(...now.map(({ round }) => round));
  const rounds = stage.rounds ?? last;
  if (!isOver(now)) {
    if (stage.type === 'bracket') return said.nextMatch;
    return now.some(({ expected }) => expected === null) ? said.othersUnknown : said.allDropped;
  }
  if (last < rounds) {
    return stage.type === 'board' ? said.roundUnpaired(last + 1, rounds) : said.nextRound;
  }
  const next = stages
    .slice(stages.indexOf(stage) + 1)
    .find(({ id }) => !playing?.some((each) => each.stage === id));
  const over = stage.type === 'board' ? said.roundsOver(rounds) : said.matchesOver;
  return next === undefined ? over : html`${over} ${said.stageUnpaired(name(next.name))}`;
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
    note: rounds.has(each.battle.round ?? 0) ? undefined : site.words.rounds.round(each.battle.round ?? 0),
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
function ofBracket(site: SiteSettings, slug: string, stage: Stage, row: NowRow): Shown {
  const found = row.brackets?.find((each) => each.stage === stage.id);
  if (found === undefined) return nothing;
  const { data } = JSON.parse(found.document) as BracketStandings;
  const play = JSON.parse(found.play) as Play;
  const battles = battlesById(site, row.current);
  const matches = matchesOf(bracketOf(data, play, stage.rounds ?? 0, guestsIn(site, slug, found.details)));
  const { words } = site;
  const box = (match: PlacedMatch): ShownMatch => ({
    ...withoutFactions(bracketMatch(site, match, battles)),
    lead: match.table > 0 ? { word: words.match.table, number: match.table } : undefined,
    note: undefined,
  });
  const called = (match: PlacedMatch) =>
    words.now.matchOfRound(name(matchName(words, match.round)), match.number);
  const { open, results } = matchesNow(matches, play, battles);
  const shown = [
    ...open.map((match) => ({ ...box(match), note: called(match) })),
    ...matches.flatMap((match) => {
      const sides = waiting(words, match);
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
function waiting(
  { now: said }: Words,
  { players, winner, feeders }: PlacedMatch,
): ShownMatch['sides'] | undefined {
  const known = feeders.find((feeder) => feeder.winner !== null);
  const other = feeders.find((feeder) => feeder.winner === null);
  if (players.length === 2 || winner !== null || known === undefined || other === undefined) return undefined;
  return [winnerOf(known), { from: html`${said.waitingFor(other.number)}` }];
}

function missingLine(site: SiteSettings, missing: readonly ShownBattle[], count: number): Html | false {
  if (missing.length === 0) return false;
  const { words } = site;
  const said = words.now;
  const links = missing.slice(0, maxMissing).map(({ table, battle }) => {
    const where = table === null ? '' : `, ${words.rounds.atTable(table)}`;
    return html`<a href="${pathTo(site, `/battles/${battle.id}`)}">${words.rounds.inSentence(battle.round ?? 0)}${where}</a>`;
  });
  const more = count - links.length;
  return html`<p class="sub">${said.missing(count, joined(links, '; '))}${more > 0 && ` ${said.andMore(more)}`}</p>`;
}
