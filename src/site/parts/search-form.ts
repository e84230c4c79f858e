import { html, type Html } from '../html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';

export function searchForm(site: SiteSettings, query = ''): Html {
  return html`<form class="search" action="${pathTo(site, '/search')}" role="search">
<label for="q">Find a tournament, a player or a club</label>
<input id="q" name="q" type="search" autocomplete="off" maxlength="100" required value="${query}">
<button type="submit">Search</button>
</form>`;
}
