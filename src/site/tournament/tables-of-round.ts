import { html, type Html } from '../parts/html.ts';
import type { SiteSettings } from '../site-settings.ts';
import type { Play } from '../bracket/tree.ts';
import { isOf, isPlaying, matchBox, onTop, type ShownMatch, walkoverKey } from './match.ts';
import { person } from '../parts/names.ts';

/** The boxes of a round: first what has no result yet. */
export function byTable(
  site: SiteSettings,
  matches: readonly ShownMatch[],
  byes: NonNullable<Play['byes']>,
  player: string | undefined,
): Html {
  const inState = (wanted: ShownMatch['state']) => matches.filter(({ state }) => state === wanted);
  const mine = matches.filter((match) => isOf(match, player));
  const walkovers = matches.some(({ sides }) => sides.some(({ score }) => score === 'w/o'));
  return html`<ol class="flat mine-top">${mine.map((match) => html`<li>${matchBox(match, player)}</li>`)}</ol>
<div class="rounds ${sizeInHall(matches.length)}">
${boxes('Playing', matches.filter(isPlaying), player)}
${boxes(
  'No result yet',
  inState('open').filter((match) => !isPlaying(match)),
  player,
)}
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

/** So that the tables fill a screen in the hall. */
function sizeInHall(tables: number): string {
  if (tables <= 12) return 'few-tables';
  return tables <= 30 ? 'some-tables' : tables <= 60 ? 'full-tables' : 'many-tables';
}

function boxes(title: string, matches: readonly ShownMatch[], player: string | undefined): Html | false {
  if (matches.length === 0) return false;
  return html`<section>
<h3>${title}</h3>
<ol class="pairings">${matches.map(
    (match) => html`
<li${isOf(match, player) && onTop}>${matchBox(match, player)}</li>`,
  )}
</ol>
</section>`;
}
