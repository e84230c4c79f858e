import type { BattlePlayerDetail, PlayerRound } from '../../contract/battle.ts';
import { html, joined, type Html } from '../html.ts';
import { firstKey, lineChart, secondKey } from './line-chart.ts';
import { name } from '../parts/names.ts';
import { decimalsOf } from '../parts/numbers.ts';
import type { SiteSettings } from '../site-settings.ts';
import type { Words } from '../words/en.ts';

type Sides = readonly [BattlePlayerDetail, BattlePlayerDetail];

/**
 * Returns two sections of the page: the victory points as a chart, and what happened in each round as a
 * table. The table is missing if no round is known.
 */
export function roundByRound(
  { words }: SiteSettings,
  sides: Sides,
  isOver: boolean,
): { curve: Html; log?: Html } {
  const t = words.battle;
  const rounds = [...new Set(sides.flatMap((side) => side.rounds.map(({ round }) => round)))].toSorted(
    (a, b) => a - b,
  );
  const totals = sides.map((side) => totalsOf(side, rounds)) as [Totals, Totals];
  const isNoted = totals.flat().some((total) => total !== undefined);
  const empty = html`<p class="empty">${isOver ? t.roundsNotNoted : t.noRoundYet}</p>`;
  if (rounds.length === 0) return { curve: curveSection(words, empty) };
  const decimals = decimalsOf([
    ...totals.flat().filter((total) => total !== undefined),
    ...sides.flatMap((side) => side.rounds.map((each) => each.victoryPoints)),
  ]);
  const figure = () => html`<figure>
${chart(words, sides, rounds, totals, decimals)}
<figcaption class="legend"><span>${firstKey}<span class="clamp">${name(sides[0].player)}</span></span><span>${secondKey}<span class="clamp">${name(sides[1].player)}</span></span></figcaption>
</figure>`;
  const log = html`<section class="sec" aria-labelledby="log">
<h2 id="log">${t.eachRound}</h2>
<table class="log">
<caption>${t.eachRoundCaption}</caption>
<thead><tr><th scope="col">${t.round}</th>${sides.map(({ player }) => html`<th scope="col"><span class="clamp">${name(player)}</span></th>`)}</tr></thead>
<tbody>
${rounds.map(
  (round, index) =>
    html`<tr><th scope="row">${words.number(round)}</th>${sides.map((side, which) =>
      cell(
        words,
        side.rounds.find((each) => each.round === round),
        totals[which]?.[index],
        decimals,
      ),
    )}</tr>\n`,
)}</tbody>
</table>
</section>`;
  return { curve: curveSection(words, isNoted ? figure() : empty), log };
}

function curveSection({ battle }: Words, content: Html): Html {
  return html`<section class="sec" aria-labelledby="vp">
<h2 id="vp">${battle.roundByRound}</h2>
${content}
</section>`;
}

/** Draws the chart. If a total is not the sum of its rounds, an additional last point shows it. */
function chart(
  words: Words,
  sides: Sides,
  rounds: number[],
  totals: [Totals, Totals],
  decimals: number,
): Html {
  const sums = totals.map((of) => of.findLast((total) => total !== undefined));
  const ends = sides.map(({ victoryPoints }, which) => victoryPoints ?? sums[which]);
  const isSum = ends.every((end, which) => end === undefined || Math.abs(end - (sums[which] ?? NaN)) < 0.005);
  const curve = (which: 0 | 1) => ({
    name: sides[which].player,
    values: isSum ? totals[which] : [...totals[which], ends[which]],
  });
  return lineChart(words, {
    title: words.battle.afterEachRound,
    corner: words.battle.round,
    labels: [...rounds.map((round) => words.number(round)), ...(isSum ? [] : [words.battle.end])],
    decimals: Math.max(decimals, decimalsOf(ends.map((end) => end ?? 0))),
    first: curve(0),
    second: curve(1),
  });
}

/** The running totals after each round. A total is undefined if nothing was sent: a document has 0 there. */
type Totals = (number | undefined)[];

/** Adds up in hundredths, so that 0.1 and 0.2 make 0.3. */
function totalsOf(side: BattlePlayerDetail, rounds: number[]): Totals {
  const isSent = side.rounds.some(({ victoryPoints }) => victoryPoints !== 0) || !side.victoryPoints;
  const points = new Map(side.rounds.map(({ round, victoryPoints }) => [round, victoryPoints]));
  let sum = 0;
  return rounds.map((round) => {
    if (!isSent || !points.has(round)) return undefined;
    sum += Math.round((points.get(round) ?? 0) * 100);
    return sum / 100;
  });
}

function cell(
  { battle: t, number, signed }: Words,
  round: PlayerRound | undefined,
  total: number | undefined,
  decimals: number,
): Html {
  if (round === undefined) return html`<td>–</td>`;
  const notes: Html[] = [];
  if (round.battleTactic !== '') {
    notes.push(html`${name(round.battleTactic)}, ${round.battleTacticScored ? t.scored : t.failed}`);
  }
  if (round.objectives.length > 0) notes.push(joined(round.objectives.map(name), ', '));
  if (round.priority) notes.push(html`${t.priority}`);
  const points =
    total !== undefined &&
    html`<span class="strong">${number(total, decimals)}</span> (${signed(round.victoryPoints, decimals)})`;
  return html`<td>${points}${notes.map((note) => html`<span class="sub">${note}</span>`)}</td>`;
}
