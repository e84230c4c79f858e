import { html, type Html } from '../html.ts';
import type { SiteSettings } from '../site-settings.ts';
import { card, isPlaying, type ShownMatch } from '../match/card.ts';
import type { Identity } from '../parts/guests.ts';
import { followData, participantLink } from '../parts/names.ts';
import { dot } from '../parts/path.ts';
import type { ShownTournament } from '../tournament-parts/tournament-frame.ts';

/** Draws the cards of a round. Those without a result come first. */
export function byTable(
  site: SiteSettings,
  { isRunning }: Pick<ShownTournament, 'isRunning'>,
  matches: readonly ShownMatch[],
  byes: readonly (Identity & { player: string })[],
): Html {
  const { words } = site;
  const t = words.rounds;
  const inState = (wanted: ShownMatch['state']) => matches.filter(({ state }) => state === wanted);
  // "Now" and the screen in the hall call these tables the same. A saved page can't say that they are playing.
  const hasBegun = isRunning && matches.some((match) => match.state === 'over' || isPlaying(match));
  const walkovers = matches.some(({ sides }) => sides.some(({ score }) => score === words.match.walkover));
  return html`<ol class="cards mine-top"></ol>
<div class="rounds">
${boxes(site, hasBegun ? words.screen.stillPlaying : t.noResult, inState('open'))}
${boxes(site, t.waiting, inState('wait'))}
${boxes(site, t.missing, inState('missing'))}
${boxes(site, t.results, inState('over'))}
${
  byes.length > 0 &&
  html`<section>
<h3>${t.byes}</h3>
<ul class="rows people">${byes.map(
    (bye) => html`
<li${followData(bye)}>${dot('B')}<span>${participantLink(site, bye)}</span></li>`,
  )}
</ul>
</section>`
}
</div>
<p class="sub">${walkovers ? t.numbersAndWalkovers : t.numbers}</p>`;
}

function boxes(site: SiteSettings, title: string, matches: readonly ShownMatch[]): Html | false {
  if (matches.length === 0) return false;
  return html`<section>
<h3>${title}</h3>
<ol class="cards">${matches.map(
    (match) => html`
<li>${card(site, match)}</li>`,
  )}
</ol>
</section>`;
}
