import type { ArmyList } from '../../contract/army-list.ts';
import { html, type Html } from '../parts/html.ts';
import type { EntryRow } from './statements.ts';
import { name } from '../parts/names.ts';
import type { SiteSettings } from '../site-settings.ts';
import type { Words } from '../words/en.ts';

/** The lists of the newest events, to unfold. `names` are those of the events. */
export function listsBrought(
  { words }: SiteSettings,
  entries: readonly EntryRow[],
  names: ReadonlyMap<string, string>,
): Html | false {
  const lists = entries.flatMap(({ tournament, participant }) =>
    tournament !== null && participant.list !== null ? [{ tournament, list: participant.list }] : [],
  );
  if (lists.length === 0) return false;
  return html`<section aria-labelledby="lists">
<h2 id="lists">${words.player.lists}</h2>
<ul class="lists">${lists.map(
    ({ tournament, list }, index) => html`
<li><details id="list-${index + 1}"><summary>${name(list.faction)} <span class="sub">${words.points(list.points)} · ${name(names.get(tournament) ?? tournament)}</span></summary>${listInFull(words, list)}</details></li>`,
  )}
</ul>
</section>`;
}

export function listInFull(words: Words, { subFaction, battleTacticCards, text }: ArmyList): Html {
  const cards = battleTacticCards.length > 0 && words.participants.cards(name(battleTacticCards.join(', ')));
  const facts = [subFaction !== '' && name(subFaction), cards].filter((fact) => fact !== false);
  return html`${facts.map((fact) => html`<p class="sub">${fact}</p>`)}<pre class="list" lang="" dir="auto">${text}</pre>`;
}
