import { html, type Html } from '../html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';

/** The tables of a tournament as files. */
export function takeAway(site: SiteSettings, { path }: { path: string }, stage: string | undefined): Html {
  const file = (address: string, text: string) => html`
<li><a href="${pathTo(site, `${path}/${address}`)}">${text}</a></li>`;
  return html`<section aria-labelledby="take">
<h2 id="take">Take it with you</h2>
<ul>${stage !== undefined && file(`standings.csv?stage=${encodeURIComponent(stage)}`, 'Standings as CSV')}${file('participants.csv', 'Players and lists as CSV')}${file('battles.csv', 'Battles as CSV')}
</ul>
</section>`;
}
