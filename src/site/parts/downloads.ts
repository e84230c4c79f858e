import { html, type Html } from '../html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';

/** The tables of a tournament as files. A planned one has no results to take. */
export function downloads(
  site: SiteSettings,
  { path, status }: { path: string; status: string },
  stage: string | undefined,
): Html {
  const isPlayed = status !== 'planned';
  const file = (address: string, text: string) => html`
<li><a href="${pathTo(site, `${path}/${address}`)}">${text}</a></li>`;
  return html`<section aria-labelledby="take">
<h2 id="take">Take it with you</h2>
<ul>${isPlayed && stage !== undefined && file(`standings.csv?stage=${encodeURIComponent(stage)}`, 'Standings as CSV')}${file('participants.csv', 'Players and lists as CSV')}${isPlayed && file('battles.csv', 'Battles as CSV')}
</ul>
</section>`;
}
