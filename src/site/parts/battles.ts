import type { Battle, BattlePlayer } from '../../contract/battle.ts';
import { html, joined, type Html } from '../html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { crestOf } from './crest.ts';
import type { Identity } from './guests.ts';
import { name, participantLink } from './names.ts';
import { decimalsOf } from './numbers.ts';
import { dot } from './path.ts';
import { type ListRow, rowList } from './rows.ts';

/** A battle as a stored document contains it, with the keys of its guests. */
export type ListedBattle = Omit<Battle, 'url' | 'players'> & { players: Side[] };

type Side = BattlePlayer & Pick<Identity, 'guest'>;

/** The names of tournaments by slug, because a battle has only the slug. */
export type TournamentNames = ReadonlyMap<string, string>;

/**
 * Lists the battles of one player from the player's point of view. The name leads to the opponent, the score
 * to the battle.
 */
export function playerBattleList(
  site: SiteSettings,
  id: string,
  battles: readonly ListedBattle[],
  names: TournamentNames,
): Html {
  return rowList(
    battles.map((battle) => playerRow(site, id, battle, names)),
    'path',
    'two-up',
  );
}

/** Lists the battles of many players, with the winner of each first. */
export function battlesOfAll(
  site: SiteSettings,
  battles: readonly ListedBattle[],
  names: TournamentNames,
): Html {
  return rowList(
    battles.map((battle) => neutralRow(site, battle, names)),
    'two-up',
  );
}

/** Returns the text that stands for an empty list. */
export function noBattles({ words }: SiteSettings): Html {
  return html`<p class="empty">${words.battles.none}</p>`;
}

function playerRow(site: SiteSettings, id: string, battle: ListedBattle, names: TournamentNames): ListRow {
  const t = site.words.battles;
  const [own, other] = ordered(battle.players, ({ playerId }) => playerId === id);
  if (own === undefined || other === undefined) throw new Error(`battle ${battle.id} has not two sides`);
  const { faction } = other;
  return {
    mark: html`${dot(dots[own.outcome ?? 'none'])}<span class="vh">${t[own.outcome ?? 'noResult']} </span>`,
    crest: crestOf(faction),
    title: participantLink(site, other),
    lines: [...(faction ? [name(faction)] : []), whereAndWhen(site, battle, names)],
    end: html`<a${own.outcome === 'win' && html` class="strong"`} href="${pathTo(site, `/battles/${battle.id}`)}">${score(site, own, other)}<span class="vh">, ${t.theBattle}</span></a>`,
  };
}

const dots = { win: 'W', draw: 'D', loss: 'L', none: '-' } as const;

function neutralRow(site: SiteSettings, battle: ListedBattle, names: TournamentNames): ListRow {
  const [first, second] = ordered(battle.players, ({ outcome }) => outcome === 'win');
  if (first === undefined || second === undefined) throw new Error(`battle ${battle.id} has not two sides`);
  const saying = ({ win: 'beat', draw: 'drewWith', loss: 'against' } as const)[first.outcome ?? 'loss'];
  const text = site.words.battle[saying](name(first.player), name(second.player));
  const factions = [first, second].map(({ faction }) => (faction ? name(faction) : '–'));
  return {
    crest: crestOf(first.faction),
    title: html`<a class="name" href="${pathTo(site, `/battles/${battle.id}`)}">${text}</a>`,
    lines: [
      ...(first.faction || second.faction ? [joined(factions, ` ${site.words.battle.versus} `)] : []),
      whereAndWhen(site, battle, names),
    ],
    end: html`<b>${score(site, first, second)}</b>`,
  };
}

function whereAndWhen({ words }: SiteSettings, battle: ListedBattle, names: TournamentNames): Html {
  const named = names.get(battle.tournament ?? '');
  const where = [
    ...(battle.date === null ? [] : [words.day(battle.date, true)]),
    battle.tournament === null ? words.battles.casual : name(named ?? battle.tournament),
  ];
  return joined(where, ' · ');
}

function ordered(sides: readonly Side[], isFirst: (side: Side) => boolean): readonly Side[] {
  const [first, second] = sides;
  return first && second && !isFirst(first) && isFirst(second) ? [second, first] : sides;
}

type Scored = Pick<BattlePlayer, 'victoryPoints'>;

/** Returns the score as `30–10`. Scores that are listed below each other are given the same number of decimals. */
export function score({ words }: SiteSettings, first: Scored, second: Scored, given?: number): string {
  const points = [first.victoryPoints, second.victoryPoints];
  const decimals = given ?? decimalsOf(points.map((value) => value ?? 0));
  if (points.every((value) => value === null)) return '–';
  return points.map((value) => (value === null ? '?' : words.number(value, decimals))).join('–');
}
