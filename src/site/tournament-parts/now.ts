import type { Stage } from '../../contract/tournament.ts';
import type { BattleView, MatchView, NowView } from '../../published/views.ts';
import { html, joined, type Html } from '../html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { bracketMatch } from '../bracket/bracket.ts';
import { areApart, isOver, roundsIn, roundsPlayed, shortTitle } from '../parts/current-round.ts';
import { shortCard, type ShownMatch } from '../match/card.ts';
import { emptyMeter, meter } from '../parts/meter.ts';
import { name } from '../parts/names.ts';
import { battleBox } from '../match/pairing.ts';
import type { ShownTournament } from './tournament-frame.ts';

/**
 * Shows what is being played now, in a section for each stage. A section has the same height before, during
 * and after a round, so that nothing below it moves. Returns undefined if the tournament is not being played.
 */
export function nowSections(site: SiteSettings, tournament: ShownTournament): Html | undefined {
  if (tournament.playing === undefined) return undefined;
  const sections = tournament.playing.flatMap((each, index) => {
    const stage = tournament.stages.find(({ id }) => id === each.stage);
    return stage ? [nowSection(site, tournament, stage, each, index)] : [];
  });
  if (sections.length > 0) return html`${sections}`;
  const t = site.words.now;
  return section(html`${t.now}`, t.noRound, 'now', emptyMeter, html``);
}

/** Limits how many cards a section has, so that pages stay short. The round has a page of its own. */
const most = (stages: number) => (stages > 2 ? 3 : 8);

function section(
  title: Html,
  beside: Html | string,
  id: string,
  progress: Html,
  cards: Html,
  stage?: string,
): Html {
  return html`<section class="now" aria-labelledby="${id}">
<header><h2 id="${id}">${title}</h2><span class="sub">${beside}</span></header>
${progress}
<ol class="slide"${stage !== undefined && html` data-stage="${stage}"`}>${cards}</ol>
</section>
`;
}

function nowSection(
  site: SiteSettings,
  tournament: ShownTournament,
  stage: Stage,
  view: NowView,
  index: number,
): Html {
  const { words } = site;
  const t = words.now;
  const { now, counts } = view;
  const current = roundsPlayed(now);
  const rounds = new Set(current.map((each) => each.round));
  const box = (each: BattleView | MatchView) => boxOf(site, tournament.slug, each);
  // Battles without a result come first. The others fill the row, so that it keeps its length.
  const games = [...view.open, ...view.done].map(box);
  const shown = games.slice(0, most(tournament.playing?.length ?? 1));
  const all = addressOfRound(site, tournament, stage, Math.min(...rounds));
  const count = counts.open + counts.done;
  const items = html`${shown.map(
    (match) => html`
<li>${shortCard(words, match, noteOf(words, match, rounds))}</li>`,
  )}${missingItem(site, view)}${
    count > shown.length &&
    html`
<li class="more"><a href="${all}">${t.allTables(count)}</a></li>`
  }`;
  const id = index === 0 ? 'now' : `now-${index + 1}`;
  const beside = besideOf(site, tournament, stage, view);
  return section(titleOf(site, stage, view), beside, id, meter(view), items, stage.id);
}

function addressOfRound(site: SiteSettings, { path }: ShownTournament, { id }: Stage, round: number): string {
  return pathTo(site, `${path}/rounds?stage=${encodeURIComponent(id)}&round=${round}`);
}

/** Returns `Round 3 pairings`, `7 tables still playing`, `Round 3 is complete` or `Rounds 1–2`. */
function titleOf({ words }: SiteSettings, stage: Stage, view: NowView): Html {
  const t = words.now;
  const title = shortTitle(words, view.now);
  if (view.counts.open > 0) {
    if (view.total.results > 0) return html`${t.stillPlaying(view.counts.open)}`;
    return html`${view.now[0]?.titles === undefined ? t.pairings(title) : title}`;
  }
  if (!isOver(view.now)) return html`${title}`;
  const { first } = roundsIn(view.now);
  const areAllOver = stage.rounds !== undefined && first >= stage.rounds;
  if (areAllOver)
    return html`${stage.type === 'board' ? t.roundsOver(stage.rounds ?? first) : t.matchesOver}`;
  // Not every group has finished the highest of these rounds.
  if (areApart(view.now)) return html`${title}`;
  return html`${view.now[0]?.titles === undefined ? t.complete(first) : words.rounds.over(title)}`;
}

/**
 * Returns the stage if several are being played, and then the scenario while battles are open, otherwise what
 * comes next.
 */
function besideOf(
  site: SiteSettings,
  tournament: ShownTournament,
  stage: Stage,
  view: NowView,
): Html | string {
  const { scenario, counts } = view;
  const parts = [
    ...((tournament.playing?.length ?? 0) > 1 ? [name(stage.name)] : []),
    ...(counts.open === 0
      ? [nextOf(site, tournament, stage, view)]
      : scenario === undefined
        ? []
        : [name(scenario)]),
  ];
  return joined(
    parts.filter((part) => part !== ''),
    ' · ',
  );
}

function nextOf(
  { words: { now: t } }: SiteSettings,
  { stages, playing }: ShownTournament,
  stage: Stage,
  { now }: NowView,
): Html | string {
  const { first } = roundsIn(now);
  if (!isOver(now)) {
    if (stage.type === 'bracket') return t.nextMatch;
    return now.some(({ expected }) => expected === null) ? t.othersUnknown : t.allDropped;
  }
  if (first < (stage.rounds ?? first))
    return stage.type === 'board' && !areApart(now) ? t.nextIs(first + 1) : t.nextRound;
  const next = stages
    .slice(stages.indexOf(stage) + 1)
    .find(({ id }) => !playing?.some((each) => each.stage === id));
  return next === undefined ? '' : html`${t.nextStage(name(next.name))}`;
}

function boxOf(site: SiteSettings, slug: string, battle: BattleView | MatchView): ShownMatch {
  const { words } = site;
  if (!('number' in battle)) {
    return { ...battleBox(site, slug, battle), note: String(battle.round) };
  }
  const box = bracketMatch(site, slug, battle);
  if (battle.waitsFor === undefined) return { ...box, note: String(battle.round) };
  const known = box.sides.find(({ player }) => player !== undefined) ?? box.sides[0];
  const other = { from: html`${words.now.waitingFor(battle.waitsFor)}` };
  return { ...box, address: undefined, state: 'wait', sides: [known, other], note: String(battle.round) };
}

/** Returns the round to show under the number, if the battle is left over from an earlier one. */
function noteOf(
  { now: t }: SiteSettings['words'],
  { note, state }: ShownMatch,
  rounds: ReadonlySet<number>,
): string | undefined {
  const round = Number(note);
  return rounds.has(round) || state === 'over' ? undefined : t.shortRound(round);
}

/** Shows the battles that play has gone past without a result, in the position of a card. */
function missingItem(site: SiteSettings, { missing, firstMissing }: NowView): Html | false {
  if (missing.length === 0) return false;
  const { words } = site;
  const t = words.now;
  const links = firstMissing.map(({ battle, round, table }) => {
    const where = table === null ? '' : `, ${words.rounds.atTable(table)}`;
    return html`<a href="${pathTo(site, `/battles/${battle}`)}">${words.rounds.inSentence(round)}${where}</a>`;
  });
  const more = missing.length - links.length;
  return html`
<li class="missing">${t.missing(missing.length, joined(links, '; '))}${more > 0 && ` ${t.andMore(more)}`}</li>`;
}
