import type { Participant } from '../../contract/participant.ts';
import { crestOf } from '../parts/crest.ts';
import type { Identity } from '../parts/guests.ts';
import { html, type Html } from '../html.ts';
import { followData, name, participantShown, participantLink } from '../parts/names.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import type { ShownRow } from '../tournament-parts/board.ts';
import type { StandingsRow } from '../tournament-parts/statements.ts';
import type { ShownTournament } from '../tournament-parts/tournament-frame.ts';

/** Somebody who signed up for a planned tournament. */
interface SignUp extends Identity {
  player: string;
  faction: string | null;
  hasList: boolean;
}

/**
 * Returns the sign-ups. A participant's document has a faction only in its army list, whereas the board has
 * it even without a list.
 */
export function signUpsOf(
  site: SiteSettings,
  slug: string,
  people: NonNullable<StandingsRow['signUps']>,
  rows: readonly ShownRow[],
): SignUp[] {
  const factions = new Map(rows.map(({ entry, faction }) => [entry, faction]));
  return people.map(([entry, document]) => {
    const { player, playerId, list } = JSON.parse(document) as Participant;
    const faction = list?.faction ?? factions.get(entry) ?? null;
    return participantShown(site, slug, { player, playerId, entry, faction, hasList: list !== null });
  });
}

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
