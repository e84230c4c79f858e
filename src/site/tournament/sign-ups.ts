import { crestOf } from '../parts/crest.ts';
import { html, type Html } from '../html.ts';
import { followData, name, participantLink } from '../parts/names.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import type { SignUp } from '../tournament-parts/sign-ups.ts';
import type { ShownTournament } from '../tournament-parts/tournament-frame.ts';

export function signUpsSection(
  site: SiteSettings,
  { path, players }: ShownTournament,
  people: readonly SignUp[],
): Html {
  const { words } = site;
  const t = words.participants;
  const more = players - people.length;
  return html`<section aria-labelledby="sign-ups">
<h2 id="sign-ups">${t.signedUp}</h2>
${
  people.length === 0
    ? html`<p class="empty">${t.nobody}</p>`
    : html`<ol class="rows people">${people.map((each) => item(site, each))}
</ol>
<p><a href="${pathTo(site, `${path}/participants`)}">${more > 0 ? t.all(players) : t.withLists}</a></p>`
}
</section>`;
}

function item(site: SiteSettings, one: SignUp): Html {
  const { faction, hasList, page, player } = one;
  const { list, listOf } = site.words.event;
  const link =
    hasList &&
    page !== undefined &&
    html`<a class="num" href="${pathTo(site, page)}#list">${list}<span class="vh"> ${listOf(name(player))}</span></a>`;
  return html`
<li${followData(one)}>${crestOf(faction)}<span>${participantLink(site, one)}${faction !== null && html`<span class="sub">${name(faction)}</span>`}</span>${link}</li>`;
}
