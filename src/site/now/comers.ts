import type { BoardRow } from '../../contract/standings.ts';
import { html, type Html } from '../parts/html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import type { StandingsRow } from '../tournament/statements.ts';
import { name, person } from '../parts/names.ts';
import { counted } from '../parts/numbers.ts';
import type { ShownTournament } from '../tournament/tournament-frame.ts';

/** Who signed up for a planned tournament. */
type Comers = NonNullable<StandingsRow['comers']>;

/**
 * A participant's document has a faction only in its list. The board has it without a list, too. Guests of one name get none
 * unless all of them have the same.
 */
export function withFactions(people: Comers, rows: readonly BoardRow[]): Comers {
  const factions = new Map<string, Set<string | null>>();
  const whoIs = (each: Pick<BoardRow, 'player' | 'playerId'>) => each.playerId ?? `guest ${each.player}`;
  for (const each of rows) {
    const known = factions.get(whoIs(each));
    if (known) known.add(each.faction);
    else factions.set(whoIs(each), new Set([each.faction]));
  }
  return people.map((each) => {
    const [faction = null, ...others] = factions.get(whoIs(each)) ?? [];
    return { ...each, faction: each.faction ?? (others.length === 0 ? faction : null) };
  });
}

export function comers(site: SiteSettings, { path, players }: ShownTournament, people: Comers): Html {
  const more = players - people.length;
  return html`<section aria-labelledby="comers">
<h2 id="comers">Signed up</h2>
${
  people.length === 0
    ? html`<p class="empty">Nobody has signed up yet.</p>`
    : html`<ul class="comers">${people.map(
        (each) => html`
<li>${person(site, each)}${each.faction !== null && html`<span class="sub clamp">${name(each.faction)}</span>`}</li>`,
      )}
</ul>
<p><a href="${pathTo(site, `${path}/participants`)}">${more > 0 ? `All ${counted(players, 'player')}` : 'Players and their lists'}</a></p>`
}
</section>`;
}
