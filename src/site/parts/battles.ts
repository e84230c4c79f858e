import type { Battle, BattlePlayer } from '../../contract/battle.ts';
import { html, joined, type Html } from './html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { day } from './dates.ts';
import { name, person } from './names.ts';
import { decimalsOf, number } from './numbers.ts';

/** A battle as a stored document has it. */
export type ListedBattle = Omit<Battle, 'url'>;

/** The names of tournaments, by slug. A battle has only the slug. */
export type TournamentNames = ReadonlyMap<string, string>;

/** The battles of one player, as this player sees them. The name leads to the opponent, the score to the battle. */
export function battlesOfPlayer(
  site: SiteSettings,
  id: string,
  battles: readonly ListedBattle[],
  names: TournamentNames,
): Html {
  return html`<table>
<caption class="vh">Battles, newest first</caption>
<thead><tr><th scope="col">Result</th><th scope="col">Opponent</th><th scope="col" class="n"><abbr title="Victory points">VP</abbr></th></tr></thead>
<tbody>
${battles.map((battle) => playerRow(site, id, battle, names))}</tbody>
</table>`;
}

/** The battles of many players. */
export function battlesOfAll(
  site: SiteSettings,
  battles: readonly ListedBattle[],
  names: TournamentNames,
): Html {
  return html`<table>
<caption class="vh">Battles, newest first</caption>
<thead><tr><th scope="col">Battle</th><th scope="col" class="n"><abbr title="Victory points">VP</abbr></th></tr></thead>
<tbody>
${battles.map((battle) => neutralRow(site, battle, names))}</tbody>
</table>`;
}

/** Instead of a table without rows. */
export const noBattles = html`<p class="empty">No battle is on record.</p>`;

function playerRow(site: SiteSettings, id: string, battle: ListedBattle, names: TournamentNames): Html {
  const [own, other] = ordered(battle.players, ({ playerId }) => playerId === id);
  if (own === undefined || other === undefined) throw new Error(`battle ${battle.id} has not two sides`);
  return html`<tr><td>${resultWords(own.outcome)}</td><th scope="row">${person(site, other)}${lines(battle, [own, other], names)}</th><td class="n"><a${own.outcome === 'win' && html` class="strong"`} href="${pathTo(site, `/battles/${battle.id}`)}">${score(own, other)}<span class="vh">, the battle</span></a></td></tr>\n`;
}

function neutralRow(site: SiteSettings, battle: ListedBattle, names: TournamentNames): Html {
  const [first, second] = ordered(battle.players, ({ outcome }) => outcome === 'win');
  if (first === undefined || second === undefined) throw new Error(`battle ${battle.id} has not two sides`);
  const verb = { win: 'beat', draw: 'drew with', loss: 'vs' }[first.outcome ?? 'loss'];
  const text = html`${name(first.player)} ${verb} ${name(second.player)}`;
  return html`<tr><th scope="row">${battleLink(site, battle, text)}${lines(battle, [first, second], names)}</th><td class="n">${score(first, second)}</td></tr>\n`;
}

function battleLink(site: SiteSettings, { id }: ListedBattle, text: Html): Html {
  return html`<a class="name" href="${pathTo(site, `/battles/${id}`)}">${text}</a>`;
}

/** The factions, and when and where. */
function lines(battle: ListedBattle, sides: readonly BattlePlayer[], names: TournamentNames): Html[] {
  const factions = sides.map(({ faction }) => (faction ? name(faction) : '–'));
  const named = names.get(battle.tournament ?? '');
  const where = [
    ...(battle.date === null ? [] : [day(battle.date)]),
    battle.tournament === null ? 'Casual battle' : name(named ?? battle.tournament),
  ];
  return [
    ...(sides.some(({ faction }) => faction) ? [joined(factions, ' vs ')] : []),
    joined(where, ' · '),
  ].map((line) => html`<span class="sub clamp">${line}</span>`);
}

function ordered(
  sides: readonly BattlePlayer[],
  isFirst: (side: BattlePlayer) => boolean,
): readonly BattlePlayer[] {
  const [first, second] = sides;
  return first && second && !isFirst(first) && isFirst(second) ? [second, first] : sides;
}

function resultWords(outcome: BattlePlayer['outcome']): string {
  return outcome === null ? 'No result yet' : { win: 'Won', draw: 'Drawn', loss: 'Lost' }[outcome];
}

type Scored = Pick<BattlePlayer, 'victoryPoints'>;

/** `30–10` */
export function score(first: Scored, second: Scored): string {
  const points = [first.victoryPoints, second.victoryPoints];
  const decimals = decimalsOf(points.map((value) => value ?? 0));
  if (points.every((value) => value === null)) return '–';
  return points.map((value) => (value === null ? '?' : number(value, decimals))).join('–');
}
