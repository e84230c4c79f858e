import { html, type Html } from '../parts/html.ts';
import { withQuery } from '../parts/pager.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';

/** The tables of a tournament as files. A planned one has no results to take. */
export function downloads(
  site: SiteSettings,
  { path, status, defaultStage }: { path: string; status: string; defaultStage: string | null },
  stage: string | undefined,
): Html {
  const isPlayed = status !== 'planned';
  const file = (address: string, text: string) => html`
<li><a href="${pathTo(site, `${path}/${address}`)}">${text}</a></li>`;
  return html`<section aria-labelledby="take">
<h2 id="take">Take it with you</h2>
<ul>${isPlayed && stage !== undefined && file(`standings.csv?stage=${encodeURIComponent(stage)}`, 'Standings as CSV')}${file('participants.csv', 'Players and lists as CSV')}${isPlayed && file('battles.csv', 'Battles as CSV')}
</ul>
${site.hasEmbed && isPlayed && embedLine(site, path, stage === defaultStage ? undefined : stage)}
</section>`;
}

/** To copy into a page of one's own. Without a stage, the frame shows the one that is played. */
function embedLine(site: SiteSettings, path: string, stage: string | undefined): Html {
  const address = `${site.siteUrl}/embed${withQuery(path, { stage })}`;
  const line = html`<iframe src="${address}" title="Standings" width="100%" height="600" loading="lazy"></iframe>`;
  return html`<details id="embed"><summary>Show this on your own site</summary>
<pre class="list code" tabindex="0">${line.text}</pre>
</details>`;
}
