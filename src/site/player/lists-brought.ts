import type { ArmyList } from '../../contract/army-list.ts';
import { html, type Html } from '../parts/html.ts';
import type { EntryRow } from './statements.ts';
import { name } from '../parts/names.ts';
import { counted } from '../parts/numbers.ts';

/** The lists of the newest events, to unfold. `names` are those of the events. */
export function listsBrought(entries: readonly EntryRow[], names: ReadonlyMap<string, string>): Html | false {
  const lists = entries.flatMap(({ tournament, participant }) =>
    tournament !== null && participant.list !== null ? [{ tournament, list: participant.list }] : [],
  );
  if (lists.length === 0) return false;
  return html`<section aria-labelledby="lists">
<h2 id="lists">Lists brought</h2>
<ul class="lists">${lists.map(
    ({ tournament, list }, index) => html`
<li><details id="list-${index + 1}"><summary>${name(list.faction)} <span class="sub">${counted(list.points, 'point')} · ${name(names.get(tournament) ?? tournament)}</span></summary>${inFull(list)}</details></li>`,
  )}
</ul>
</section>`;
}

function inFull({ subFaction, battleTacticCards, text }: ArmyList): Html {
  const cards = battleTacticCards.length > 0 && `Battle tactic cards: ${battleTacticCards.join(', ')}`;
  const facts = [subFaction, cards].filter((fact) => fact !== false && fact !== '');
  return html`${facts.map((fact) => html`<p class="sub">${name(String(fact))}</p>`)}<pre class="list" lang="" dir="auto">${text}</pre>`;
}
