import type { ArmyList } from '../../contract/army-list.ts';
import { html, type Html } from '../html.ts';
import { name } from './names.ts';
import type { Words } from '../words/en.ts';

export function listInFull(words: Words, { subFaction, battleTacticCards, text }: ArmyList): Html {
  const cards = battleTacticCards.length > 0 && words.participants.cards(name(battleTacticCards.join(', ')));
  const facts = [subFaction !== '' && name(subFaction), cards].filter((fact) => fact !== false);
  return html`${facts.map((fact) => html`<p class="sub">${fact}</p>`)}<pre class="list" lang="" dir="auto">${text}</pre>`;
}
