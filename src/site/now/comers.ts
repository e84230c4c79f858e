import { html, type Html } from '../parts/html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import type { StandingsRow } from '../tournament/statements.ts';
import { guestKey } from '../parts/guests.ts';
import { type Identity, keyOf, name, person } from '../parts/names.ts';
import type { ShownRow } from '../tournament/board.ts';
import type { ShownTournament } from '../tournament/tournament-frame.ts';

/** Who signed up for a planned tournament. */
type Comers = NonNullable<StandingsRow['comers']>;
type ShownComer = Omit<Comers[number], 'entry'> & Pick<Identity, 'guest'>;

/**
 * A participant's document has a faction only in its list. The board has it without a list, too. Guests of one name without
 * an id get none unless all of them have the same.
 */
export function withFactions(
  site: SiteSettings,
  slug: string,
  people: Comers,
  rows: readonly ShownRow[],
): ShownComer[] {
  const factions = new Map<string, Set<string | null>>();
  const whoIs = (each: Identity & { player: string | null }) => keyOf(each) ?? `guest ${each.player}`;
  for (const each of rows) {
    const known = factions.get(whoIs(each));
    if (known) known.add(each.faction);
    else factions.set(whoIs(each), new Set([each.faction]));
  }
  return people.map(({ entry, ...rest }) => {
    const each = { ...rest, guest: guestKey(site, slug, entry) };
    const [faction = null, ...others] = factions.get(whoIs(each)) ?? [];
    return { ...each, faction: each.faction ?? (others.length === 0 ? faction : null) };
  });
}

export function comers(
  site: SiteSettings,
  { path, players }: ShownTournament,
  people: readonly ShownComer[],
): Html {
  const { words } = site;
  const said = words.participants;
  const more = players - people.length;
  return html`<section aria-labelledby="comers">
<h2 id="comers">${said.signedUp}</h2>
${
  people.length === 0
    ? html`<p class="empty">${said.nobody}</p>`
    : html`<ul class="comers">${people.map(
        (each) => html`
<li>${person(site, each)}${each.faction !== null && html`<span class="sub clamp">${name(each.faction)}</span>`}</li>`,
      )}
</ul>
<p><a href="${pathTo(site, `${path}/participants`)}">${more > 0 ? said.all(players) : said.withLists}</a></p>`
}
</section>`;
}
