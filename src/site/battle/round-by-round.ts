import type { BattlePlayerDetail, PlayerRound } from '../../contract/battle.ts';
import { html, joined, type Html } from '../parts/html.ts';
import { firstKey, lineChart, secondKey } from './line-chart.ts';
import { name } from '../parts/names.ts';
import { decimalsOf, number, signed } from '../parts/numbers.ts';

type Sides = readonly [BattlePlayerDetail, BattlePlayerDetail];

/** Victory points as a chart, and what each round brought as a table: each is a section of the page. */
export function roundByRound(sides: Sides, isOver: boolean): { curve: Html; log?: Html } {
  const rounds = [...new Set(sides.flatMap((side) => side.rounds.map(({ round }) => round)))].toSorted(
    (a, b) => a - b,
  );
  const totals = sides.map((side) => totalsOf(side, rounds)) as [Totals, Totals];
  const isNoted = totals.flat().some((total) => total !== undefined);
  const empty = html`<p class="empty">${isOver ? 'The rounds were not noted.' : 'No round is noted yet.'}</p>`;
  if (rounds.length === 0) return { curve: curveSection(empty) };
  const decimals = decimalsOf([
    ...totals.flat().filter((total) => total !== undefined),
    ...sides.flatMap((side) => side.rounds.map((each) => each.victoryPoints)),
  ]);
  const figure = () => html`<figure>
${chart(sides, rounds, totals, decimals)}
<figcaption class="meta"><span class="meta">${firstKey}<span class="clamp">${name(sides[0].player)}</span></span><span class="meta">${secondKey}<span class="clamp">${name(sides[1].player)}</span></span></figcaption>
</figure>`;
  const log = html`<section aria-labelledby="log">
<h2 id="log">What each round brought</h2>
<table class="log">
<caption>Total after the round, points of the round in brackets</caption>
<thead><tr><th scope="col">Round</th>${sides.map(({ player }) => html`<th scope="col"><span class="clamp">${name(player)}</span></th>`)}</tr></thead>
<tbody>
${rounds.map(
  (round, index) =>
    html`<tr><th scope="row">${number(round)}</th>${sides.map((side, which) =>
      cell(
        side.rounds.find((each) => each.round === round),
        totals[which]?.[index],
        decimals,
      ),
    )}</tr>\n`,
)}</tbody>
</table>
</section>`;
  return { curve: curveSection(isNoted ? figure() : empty), log };
}

function curveSection(content: Html): Html {
  return html`<section aria-labelledby="vp">
<h2 id="vp">Victory points, round by round</h2>
${content}
</section>`;
}

/** Where a total is not the sum of the rounds, a last point shows it. */
function chart(sides: Sides, rounds: number[], totals: [Totals, Totals], decimals: number): Html {
  const sums = totals.map((of) => of.findLast((total) => total !== undefined));
  const ends = sides.map(({ victoryPoints }, which) => victoryPoints ?? sums[which]);
  const isSum = ends.every((end, which) => end === undefined || Math.abs(end - (sums[which] ?? NaN)) < 0.005);
  const curve = (which: 0 | 1) => ({
    name: sides[which].player,
    values: isSum ? totals[which] : [...totals[which], ends[which]],
  });
  return lineChart({
    title: 'Victory points after each round',
    corner: 'Round',
    labels: [...rounds.map((round) => number(round)), ...(isSum ? [] : ['End'])],
    decimals: Math.max(decimals, decimalsOf(ends.map((end) => end ?? 0))),
    first: curve(0),
    second: curve(1),
  });
}

/** After each round. Undefined where nothing was sent: a document has 0 there. */
type Totals = (number | undefined)[];

/** In hundredths, so that 0.1 and 0.2 make 0.3. */
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

function cell(round: PlayerRound | undefined, total: number | undefined, decimals: number): Html {
  if (round === undefined) return html`<td>–</td>`;
  const notes: Html[] = [];
  if (round.battleTactic !== '') {
    notes.push(html`${name(round.battleTactic)}, ${round.battleTacticScored ? 'scored' : 'failed'}`);
  }
  if (round.objectives.length > 0) notes.push(joined(round.objectives.map(name), ', '));
  if (round.priority) notes.push(html`had priority`);
  const points =
    total !== undefined &&
    html`<span class="strong">${number(total, decimals)}</span> (${signed(round.victoryPoints, decimals)})`;
  return html`<td>${points}${notes.map((note) => html`<span class="sub">${note}</span>`)}</td>`;
}
