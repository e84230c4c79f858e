import type { BattlePlayerDetail, PlayerRound } from '../../../contract/battle.ts';
import { html, joined, type Html } from '../html.ts';
import { firstKey, lineChart, secondKey } from './line-chart.ts';
import { name } from './names.ts';
import { decimalsOf, number, signed } from './numbers.ts';

type Sides = readonly [BattlePlayerDetail, BattlePlayerDetail];

/** Victory points as a chart, and what each round brought as a table: each is a section of the page. */
export function roundByRound(sides: Sides, isOver: boolean): { curve: Html; log?: Html } {
  const rounds = [...new Set(sides.flatMap((side) => side.rounds.map(({ round }) => round)))].toSorted(
    (a, b) => a - b,
  );
  if (rounds.length === 0) {
    const empty = isOver ? 'The rounds were not noted.' : 'No round is noted yet.';
    return { curve: curveSection(html`<p class="empty">${empty}</p>`) };
  }
  const totals = sides.map((side) => totalsOf(side, rounds)) as [number[], number[]];
  const decimals = decimalsOf([
    ...totals.flat(),
    ...sides.flatMap((side) => side.rounds.map((each) => each.victoryPoints)),
  ]);
  const curve = curveSection(html`<figure>
${chart(sides, rounds, totals, decimals)}
<figcaption class="meta"><span class="meta">${firstKey}<span class="clamp">${name(sides[0].player)}</span></span><span class="meta">${secondKey}<span class="clamp">${name(sides[1].player)}</span></span></figcaption>
</figure>`);
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
        totals[which]?.[index] ?? 0,
        decimals,
      ),
    )}</tr>\n`,
)}</tbody>
</table>
</section>`;
  return { curve, log };
}

function curveSection(content: Html): Html {
  return html`<section aria-labelledby="vp">
<h2 id="vp">Victory points, round by round</h2>
${content}
</section>`;
}

/** Where a total is not the sum of the rounds, a last point shows it. */
function chart(sides: Sides, rounds: number[], totals: [number[], number[]], decimals: number): Html {
  const sums = totals.map((of) => of.at(-1) ?? 0);
  const ends = sides.map(({ victoryPoints }, which) => victoryPoints ?? sums[which] ?? 0);
  const isSum = ends.every((end, which) => Math.abs(end - (sums[which] ?? 0)) < 0.005);
  const curve = (which: 0 | 1) => ({
    name: sides[which].player,
    values: isSum ? totals[which] : [...totals[which], ends[which] ?? 0],
  });
  return lineChart({
    title: 'Victory points after each round',
    corner: 'Round',
    labels: [...rounds.map((round) => number(round)), ...(isSum ? [] : ['End'])],
    decimals: Math.max(decimals, decimalsOf(ends)),
    first: curve(0),
    second: curve(1),
  });
}

/** After each round. In hundredths, so that 0.1 and 0.2 make 0.3. */
function totalsOf(side: BattlePlayerDetail, rounds: number[]): number[] {
  const points = new Map(side.rounds.map(({ round, victoryPoints }) => [round, victoryPoints]));
  let sum = 0;
  return rounds.map((round) => {
    sum += Math.round((points.get(round) ?? 0) * 100);
    return sum / 100;
  });
}

function cell(round: PlayerRound | undefined, total: number, decimals: number): Html {
  if (round === undefined) return html`<td>–</td>`;
  const notes: Html[] = [];
  if (round.battleTactic !== '') {
    notes.push(html`${name(round.battleTactic)}, ${round.battleTacticScored ? 'scored' : 'failed'}`);
  }
  if (round.objectives.length > 0) notes.push(joined(round.objectives.map(name), ', '));
  if (round.priority) notes.push(html`had priority`);
  return html`<td><span class="strong">${number(total, decimals)}</span> (${signed(round.victoryPoints, decimals)})${notes.map((note) => html`<span class="sub">${note}</span>`)}</td>`;
}
