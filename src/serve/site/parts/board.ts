import type { BoardRow } from '../../../contract/standings.ts';
import { html, type Html } from '../html.ts';
import type { SiteSettings } from '../site-settings.ts';
import { name, person } from './names.ts';
import { decimalsOf, number, record, signed } from './numbers.ts';

/** The rows of one stage, in one table, or in one for each group. */
export function board(site: SiteSettings, rows: readonly BoardRow[], through: ReadonlySet<BoardRow>): Html {
  const decimals: Decimals = {
    points: decimalsOf(rows.map(({ battlePoints }) => battlePoints)),
    victory: decimalsOf(rows.map(({ victoryPoints }) => victoryPoints)),
    difference: decimalsOf(rows.map(({ victoryPointsDiff }) => victoryPointsDiff)),
  };
  const table = (caption: Html, own: readonly BoardRow[]) => html`<table>
${caption}
${head}
<tbody>${own.map((row) => boardRow(site, row, decimals, through.has(row)))}
</tbody>
</table>`;
  if (rows[0]?.group === undefined) return table(html`<caption>${legend}</caption>`, rows);
  const groups = [...Map.groupBy(rows, ({ group }) => group ?? '')];
  return html`<p class="sub">${legend}</p>
<div class="columns two">${groups.map(
    ([group, own]) => html`
<section>
<h3>${name(group)}</h3>
${table(html`<caption class="vh">${name(group)}</caption>`, own)}
</section>`,
  )}
</div>`;
}

/** Who plays in the knockout. Guests have no id: then the name tells, where only one row has it. */
export function rowsThrough(
  rows: readonly BoardRow[],
  knockout: { players: readonly string[]; playerIds: readonly (string | null)[] },
): Set<BoardRow> {
  const ids = new Set(knockout.playerIds);
  const names = new Set(knockout.players.filter((_, index) => knockout.playerIds[index] === null));
  const ofName = Map.groupBy(rows, ({ player }) => player);
  return new Set(
    rows.filter(({ player, playerId }) =>
      playerId !== null
        ? ids.has(playerId)
        : player !== null && names.has(player) && ofName.get(player)?.length === 1,
    ),
  );
}

interface Decimals {
  points: number;
  victory: number;
  difference: number;
}

const legend = 'BP battle points, W–D–L won–drawn–lost, VP victory points, ± victory-point difference';

const head = html`<thead><tr><th scope="col" class="rank"><abbr title="Place">#</abbr></th><th scope="col">Player</th><th scope="col" class="n"><abbr title="Battle points">BP</abbr></th><th scope="col" class="n"><abbr title="Won, drawn, lost">W–D–L</abbr></th><th scope="col" class="n"><abbr title="Victory points">VP</abbr> <span class="sub diff"><abbr title="Difference">±</abbr></span></th></tr></thead>`;

function boardRow(site: SiteSettings, row: BoardRow, decimals: Decimals, isThrough: boolean): Html {
  return html`
<tr${isThrough && markedThrough}><td class="rank">${row.rank ?? '–'}${isThrough && wentThrough}</td><th scope="row"><div class="who">${person(site, row)}${row.faction !== null && html`<span class="sub clamp"><bdi>${row.faction}</bdi></span>`}</div></th><td class="n strong">${number(row.battlePoints, decimals.points)}</td><td class="n">${record(row)}</td><td class="n">${number(row.victoryPoints, decimals.victory)} <span class="sub diff">${signed(row.victoryPointsDiff, decimals.difference)}</span></td></tr>`;
}

const markedThrough = html` class="through"`;
const wentThrough = html`<span class="vh">, went through</span>`;
