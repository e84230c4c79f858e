import { html, type Html } from '../parts/html.ts';
import type { SiteSettings } from '../site-settings.ts';
import { isOf, isPlaying, matchBox, onTop, type ShownMatch } from './match.ts';
import { type Identity, person } from '../parts/names.ts';
import type { Words } from '../words/en.ts';

/** The boxes of a round: first what has no result yet. */
export function byTable(
  site: SiteSettings,
  matches: readonly ShownMatch[],
  byes: readonly (Identity & { player: string })[],
  followed: string | undefined,
): Html {
  const { words } = site;
  const said = words.rounds;
  const inState = (wanted: ShownMatch['state']) => matches.filter(({ state }) => state === wanted);
  const mine = matches.filter((match) => isOf(match, followed));
  const walkovers = matches.some(({ sides }) => sides.some(({ score }) => score === words.match.walkover));
  return html`<ol class="flat mine-top">${mine.map((match) => html`<li>${matchBox(words, match, followed)}</li>`)}</ol>
<div class="rounds ${sizeInHall(matches.length)}">
${boxes(words, said.playing, matches.filter(isPlaying), followed)}
${boxes(
  words,
  said.noResult,
  inState('open').filter((match) => !isPlaying(match)),
  followed,
)}
${boxes(words, said.waiting, inState('wait'), followed)}
${boxes(words, said.missing, inState('missing'), followed)}
${boxes(words, said.results, inState('over'), followed)}
${
  byes.length > 0 &&
  html`<section>
<h3>${said.byes}</h3>
<ul class="comers">${byes.map(
    (bye) => html`
<li>${person(site, bye)}</li>`,
  )}
</ul>
</section>`
}
</div>
<p class="sub">${walkovers ? said.numbersAndWalkovers : said.numbers}</p>`;
}

/** So that the tables fill a screen in the hall. */
function sizeInHall(tables: number): string {
  if (tables <= 12) return 'few-tables';
  return tables <= 30 ? 'some-tables' : tables <= 60 ? 'full-tables' : 'many-tables';
}

function boxes(
  words: Words,
  title: string,
  matches: readonly ShownMatch[],
  followed: string | undefined,
): Html | false {
  if (matches.length === 0) return false;
  return html`<section>
<h3>${title}</h3>
<ol class="pairings">${matches.map(
    (match) => html`
<li${isOf(match, followed) && onTop}>${matchBox(words, match, followed)}</li>`,
  )}
</ol>
</section>`;
}
