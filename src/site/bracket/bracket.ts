import type { BracketRound, BracketView, MatchView } from '../../published/views.ts';
import { html, type Html } from '../html.ts';
import type { SiteSettings } from '../site-settings.ts';
import { drawnSentence } from '../match/drawn.ts';
import { card, type ShownMatch } from '../match/card.ts';
import { name } from '../parts/names.ts';
import { battleBox } from '../match/pairing.ts';
import { currentRoundName } from '../parts/current-round.ts';
import { isCurrent } from '../parts/tabs.ts';
import type { Words } from '../words/en.ts';

export interface DrawnBracket {
  site: SiteSettings;
  slug: string;
  bracket: BracketView;
  /** The round that a phone shows, and the address of each round. Without it, a phone shows all rounds. */
  turn?: { round: number; addressOf: (round: number) => string } | undefined;
}

/** Draws a bracket as nested lists: rounds, then matches. The style sheet adds the lines. */
export function drawnBracket({ site, slug, bracket, turn }: DrawnBracket): Html {
  const { words } = site;
  const shown = bracket.matches.map((match) => {
    const box = bracketMatch(site, slug, match);
    return match.next === undefined ? box : withNext(words, box, match.next);
  });
  const item: Item = (number, kindOf) => {
    const [match, box] = [bracket.matches[number - 1], shown[number - 1]];
    if (match === undefined || box === undefined) return html``;
    const kind = kindOf?.(match);
    return html`
<li${kind !== undefined && html` class="${kind}"`}>${card(site, box)}</li>`;
  };
  return html`<ol class="cards mine-top"></ol>
${turn && roundTabs(words, bracket, turn)}
${bracket.trees.map((rounds) => tree(words, rounds, item, turn?.round))}
${bracket.apart.length > 0 && stacked(words, bracket.apart, item)}`;
}

/** Adds the match in which the winner plays next, because a phone shows no lines. */
function withNext({ match: t }: Words, shown: ShownMatch, next: number): ShownMatch {
  const way = html`<span class="onward">${shown.note !== undefined && ' · '}${t.winnerPlays(next)}</span>`;
  return { ...shown, note: html`${shown.note}${way}` };
}

/** Draws links to the rounds, so that a phone needs no script to show another one. */
function roundTabs(
  words: Words,
  { trees }: BracketView,
  turn: NonNullable<DrawnBracket['turn']>,
): Html | false {
  const [rounds = []] = trees;
  return (
    rounds.length > 1 &&
    html`<nav class="tabs steps round-tabs" aria-label="${words.match.roundsOfBracket}"><ul>${rounds.map(
      (round) => html`
<li><a href="${turn.addressOf(round.round)}#bracket"${round.round === turn.round && isCurrent}>${name(roundLabel(words, round))}</a></li>`,
    )}
</ul></nav>`
  );
}

function roundLabel(words: Words, { round, title, matches }: BracketRound): string {
  return title === undefined
    ? words.rounds.round(round)
    : currentRoundName(words, [title], matches.filter((match) => match !== null).length);
}

type Item = (number: number, kind?: (match: MatchView) => string | undefined) => Html;

function tree(
  words: Words,
  rounds: readonly BracketRound[],
  item: Item,
  shownRound: number | undefined,
): Html {
  const isOne = rounds.length > 1 && rounds.some((round) => round.round === shownRound);
  return html`<ol class="bracket${isOne && ' one'}">${rounds.map(
    (round, index) => html`
<li${round.round === shownRound && html` class="shown"`}>
<h3>${name(roundLabel(words, round))}</h3>
<ol>${round.matches.map((match) => treeItem(match, index, item))}
</ol>
</li>`,
  )}
</ol>
`;
}

function treeItem(number: number | null, index: number, item: Item): Html {
  if (number === null) return emptySlot;
  // No line is drawn to a match that no winner comes to from another match.
  return item(number, ({ isFirst }) => (index > 0 && isFirst ? 'fresh' : undefined));
}

const emptySlot = html`
<li class="bye" aria-hidden="true"></li>`;

function stacked(words: Words, rounds: readonly BracketRound[], item: Item): Html {
  return html`<ol class="rounds">${rounds.map(
    (round) => html`
<li>
<h3>${name(roundLabel(words, round))}</h3>
<ol class="cards">${round.matches.map((number) => number !== null && item(number))}
</ol>
</li>`,
  )}
</ol>`;
}

/**
 * Returns the card of a bracket match. It begins with the table, if there is one, because that is what people
 * in the hall look for.
 */
export function bracketMatch(site: SiteSettings, slug: string, match: MatchView): ShownMatch {
  const { words } = site;
  const { table, number, isWalkover, drawn } = match;
  const box = battleBox(site, slug, match);
  if (isWalkover) {
    for (const side of box.sides) if (side.outcome === 'won') side.score = words.match.walkover;
  }
  return {
    ...box,
    // A bracket shows seeds, tables and points, so the number says what it is.
    lead: { ...(box.lead ?? { word: words.match.match, number }), isShown: true },
    note: table === null ? undefined : html`<span>${words.match.match} ${number}</span>`,
    // Equal victory points are not a draw if the battle has a winner, and the standings count a win.
    why: match.isOverruled
      ? words.battle.byOrganiser
      : drawn && `${drawn.isDraw ? `${words.battle.drawn} ` : ''}${drawnSentence(words, drawn)}`,
  };
}
