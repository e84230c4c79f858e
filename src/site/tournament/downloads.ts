import { html, type Html } from '../html.ts';
import { withQuery } from '../parts/pager.ts';
import { fileTo, pathTo, type SiteSettings } from '../site-settings.ts';

/** Links to the tables of a tournament as files. A planned tournament has no results to download. */
export function downloads(
  site: SiteSettings,
  { path, status, defaultStage, startDate }: ShownEvent,
  stage: string | undefined,
): Html {
  const t = site.words.downloads;
  const isPlayed = status !== 'planned';
  const file = (address: string, text: string) => html`
<li><a href="${fileTo(site, `${path}/${address}`)}">${text}</a></li>`;
  return html`<section aria-labelledby="take">
<h2 id="take">${t.title}</h2>
<ul>${isPlayed && stage !== undefined && file(`standings.csv?stage=${encodeURIComponent(stage)}`, t.standings)}${file('participants.csv', t.participants)}${isPlayed && file('battles.csv', t.battles)}${startDate !== null && file('calendar.ics', t.calendar)}${
    site.savedAt === undefined &&
    html`
<li><a href="${pathTo(site, `${path}/screen`)}">${t.screen}</a></li>`
  }
</ul>
${site.hasEmbed && isPlayed && embedLine(site, path, stage === defaultStage ? undefined : stage)}
</section>`;
}

interface ShownEvent {
  path: string;
  status: string;
  defaultStage: string | null;
  startDate: string | null;
}

/**
 * Shows the code for embedding the standings in another site. Without a stage, the frame always shows the
 * current one.
 */
function embedLine(site: SiteSettings, path: string, stage: string | undefined): Html {
  const address = `${site.siteUrl}/embed${withQuery(path, { stage, lang: site.ownPath === '' ? undefined : site.words.language })}`;
  const line = html`<iframe src="${address}" title="${site.words.downloads.frameTitle}" width="100%" height="600" loading="lazy"></iframe>`;
  return html`<details id="embed"><summary>${site.words.downloads.embed}</summary>
<pre class="list code" tabindex="0">${line.text}</pre>
</details>`;
}
