import type { Battle, BattlePlayer } from '../../contract/battle.ts';
import { html, joined, type Html } from './html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { type Identity, name, person } from './names.ts';
import { decimalsOf } from './numbers.ts';

/** A battle as a stored document has it. */
export type ListedBattle = Omit<Battle, 'url' | 'players'> & { players: Side[] };

type Side = BattlePlayer & Pick<Identity, 'guest'>;

/** The names of tournaments, by slug. A battle has only the slug. */
export type TournamentNames = ReadonlyMap<string, string>;

/** The battles of one player, as this player sees them. The name leads to the opponent, the score to the battle. */
export function battlesOfPlayer(
  site: SiteSettings,
  id: string,
  battles: readonly ListedBattle[],
  names: TournamentNames,
): Html {
  const said = site.words.battles;
  return html`<table>
<caption class="vh">${said.newestFirst}</caption>
<thead><tr><th scope="col">${said.result}</th><th scope="col">${said.opponent}</th><th scope="col" class="n"><abbr title="${said.victoryPoints}">${said.victoryPointsShort}</abbr></th></tr></thead>
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
  const said = site.words.battles;
  return html`<table>
<caption class="vh">${said.newestFirst}</caption>
<thead><tr><th scope="col">${said.battle}</th><th scope="col" class="n"><abbr title="${said.victoryPoints}">${said.victoryPointsShort}</abbr></th></tr></thead>
<tbody>
${battles.map((battle) => neutralRow(site, battle, names))}</tbody>
</table>`;
}

/** Instead of a table without rows. */
export function noBattles({ words }: SiteSettings): Html {
  return html`<p class="empty">${words.battles.none}</p>`;
}

function playerRow(site: SiteSettings, id: string, battle: ListedBattle, names: TournamentNames): Html {
  const [own, other] = ordered(battle.players, ({ playerId }) => playerId === id);
  if (own === undefined || other === undefined) throw new Error(`battle ${battle.id} has not two sides`);
  return html`<tr><td>${site.words.battles[own.outcome ?? 'noResult']}</td><th scope="row">${person(site, other)}${lines(site, battle, [own, other], names)}</th><td class="n"><a${own.outcome === 'win' && html` class="strong"`} href="${pathTo(site, `/battles/${battle.id}`)}">${score(site, own, other)}<span class="vh">, ${site.words.battles.theBattle}</span></a></td></tr>\n`;
}

function neutralRow(site: SiteSettings, battle: ListedBattle, names: TournamentNames): Html {
  const [first, second] = ordered(battle.players, ({ outcome }) => outcome === 'win');
  if (first === undefined || second === undefined) throw new Error(`battle ${battle.id} has not two sides`);
  const saying = ({ win: 'beat', draw: 'drewWith', loss: 'against' } as const)[first.outcome ?? 'loss'];
  const text = site.words.battle[saying](name(first.player), name(second.player));
  return html`<tr><th scope="row">${battleLink(site, battle, text)}${lines(site, battle, [first, second], names)}</th><td class="n">${score(site, first, second)}</td></tr>\n`;
}

function battleLink(site: SiteSettings, { id }: ListedBattle, text: Html): Html {
  return html`<a class="name" href="${pathTo(site, `/battles/${id}`)}">${text}</a>`;
}

/** The factions, and when and where. */
function lines(
  { words }: SiteSettings,
  battle: ListedBattle,
  sides: readonly BattlePlayer[],
  names: TournamentNames,
): Html[] {
  const factions = sides.map(({ faction }) => (faction ? name(faction) : '–'));
  const named = names.get(battle.tournament ?? '');
  const where = [
    ...(battle.date === null ? [] : [words.day(battle.date)]),
    battle.tournament === null ? words.battles.casual : name(named ?? battle.tournament),
  ];
  return [
    ...(sides.some(({ faction }) => faction) ? [joined(factions, ` ${words.battle.versus} `)] : []),
    joined(where, ' · '),
  ].map((line) => html`<span class="sub clamp">${line}</span>`);
}

function ordered(sides: readonly Side[], isFirst: (side: Side) => boolean): readonly Side[] {
  const [first, second] = sides;
  return first && second && !isFirst(first) && isFirst(second) ? [second, first] : sides;
}

type Scored = Pick<BattlePlayer, 'victoryPoints'>;

/** `30–10` */
export function score({ words }: SiteSettings, first: Scored, second: Scored): string {
  const points = [first.victoryPoints, second.victoryPoints];
  const decimals = decimalsOf(points.map((value) => value ?? 0));
  if (points.every((value) => value === null)) return '–';
  return points.map((value) => (value === null ? '?' : words.number(value, decimals))).join('–');
}
