import type { Stage } from '../../contract/tournament.ts';
import { score } from '../parts/battles.ts';
import { drawnWin, sentenceOf } from '../parts/drawn.ts';
import { guestKey, sidesWithGuests } from '../parts/guests.ts';
import { html, joined, type Html } from '../parts/html.ts';
import { type Identity, keyOf, name, person } from '../parts/names.ts';
import { decimalsOf } from '../parts/numbers.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { battleWithGuests, type BattleWithGuests, spoken } from '../tournament/pairing.ts';
import { matchName, stageName } from '../words/stored.ts';
import type { EntryMatch, EntryPageRow } from './entry-statements.ts';

type Side = BattleWithGuests['players'][number];

/** One game of the entry: a battle, a match without one, or a bye. */
export interface EntryGame {
  stage: string;
  round: number;
  /** Of a bracket. */
  roundName?: string | undefined;
  /** Undefined: a bye. */
  other?: (Identity & { player: string; faction?: string | null }) | undefined;
  table: number | null;
  battle?: { id: string; own: Side; other: Side } | undefined;
  /** Of a match that is decided: its battle may be drawn. */
  outcome?: 'won' | 'lost' | undefined;
}

/** In the order of play. `key` is that of the guest. */
export function gamesOf(site: SiteSettings, slug: string, key: string, row: EntryPageRow): EntryGame[] {
  const stages = row.stages ?? [];
  const matches = stages.flatMap(({ stage, matches: own }) =>
    (own ?? []).map((each) => ({ stage, ...each })),
  );
  const ofMatch = ({ match, winner }: EntryMatch) =>
    ({
      roundName: match.round,
      outcome: match.winner === null ? undefined : guestKey(site, slug, winner) === key ? 'won' : 'lost',
    }) as const;
  const ofBattle = new Map(matches.map((each) => [each.match.battle, ofMatch(each)]));
  const battles = (row.battles ?? []).flatMap((shown): EntryGame[] => {
    const battle = battleWithGuests(site, shown);
    const own = battle.players.find((side) => keyOf(side) === key);
    const other = battle.players.find((side) => side !== own);
    if (own === undefined || other === undefined) return [];
    return [
      {
        stage: shown.stage,
        round: battle.round ?? 0,
        other,
        table: shown.table,
        battle: { id: battle.id, own, other },
        ...ofBattle.get(battle.id),
      },
    ];
  });
  const played = new Set(battles.map(({ battle }) => battle?.id));
  const others = matches
    .filter(({ match }) => !played.has(match.battle ?? ''))
    .map((each): EntryGame => {
      const { stage, match, round, playerIds, entries } = each;
      const players = match.players.map((player, index) => ({ player, playerId: playerIds[index] }));
      const other = sidesWithGuests(site, slug, players, entries).find((side) => keyOf(side) !== key);
      return { stage, round, other, table: match.table || null, ...ofMatch(each) };
    });
  const byes = stages.flatMap(({ stage, byes: own }) =>
    (own ?? []).map(({ round }): EntryGame => ({ stage, round, table: null })),
  );
  const order = stages.map(({ stage }) => stage);
  return [...battles, ...others, ...byes].toSorted(
    (a, b) => order.indexOf(a.stage) - order.indexOf(b.stage) || a.round - b.round,
  );
}

/** Round by round, with a line for each stage where there are several. */
export function gamesTable(site: SiteSettings, stages: readonly Stage[], games: readonly EntryGame[]): Html {
  const { words } = site;
  const [short, long] = words.entry.round;
  const parts = [...Map.groupBy(games, ({ stage }) => stage)];
  const nameOf = (id: string) => stageName(words, stages.find((stage) => stage.id === id)?.name ?? id);
  return html`<table>
<caption class="vh">${words.entry.roundByRound}</caption>
<thead><tr><th scope="col" class="rank"><abbr title="${long}">${short}</abbr></th><th scope="col">${words.battles.opponent}</th><th scope="col" class="n">${words.match.table}</th><th scope="col" class="n"><abbr title="${words.battles.victoryPoints}">${words.battles.victoryPointsShort}</abbr> <span class="sub diff"><abbr title="${words.battle.battlePoints}">${words.board.battlePoints[0]}</abbr></span></th></tr></thead>
${parts.map(
  ([stage, own]) => html`<tbody>${
    parts.length > 1 &&
    html`<tr><th colspan="4" scope="rowgroup"><span class="sub">${name(nameOf(stage))}</span></th></tr>
`
  }${own.map((game) => gameRow(site, game))}</tbody>
`,
)}</table>`;
}

function gameRow(site: SiteSettings, { round, roundName, other, table, battle, outcome }: EntryGame): Html {
  const { words } = site;
  const said = words.match;
  const drawn = battle && outcome === 'won' ? drawnWin(battle.own, battle.other) : undefined;
  const facts = [
    ...(roundName === undefined ? [] : [name(matchName(words, roundName))]),
    ...(other?.faction ? [name(other.faction)] : []),
    ...(drawn ? [sentenceOf(words, drawn)] : []),
  ];
  const who = other === undefined ? html`<span class="clamp">${said.bye}</span>` : person(site, other);
  return html`<tr><td class="rank">${round}</td><th scope="row">${who}${facts.length > 0 && html`<span class="sub clamp">${joined(facts, ' · ')}</span>`}</th><td class="n">${table ?? '–'}</td><td class="n">${
    battle === undefined ? (outcome === undefined ? '–' : said[outcome]) : resultOf(site, battle, outcome)
  }</td></tr>
`;
}

function resultOf(
  site: SiteSettings,
  { id, own, other }: NonNullable<EntryGame['battle']>,
  outcome: EntryGame['outcome'],
): Html {
  const { words } = site;
  const known = outcome ?? (own.outcome === null ? undefined : spoken[own.outcome]);
  const said = known === undefined ? words.board.noResult : words.match[known];
  return html`<a${known === 'won' && html` class="strong"`} href="${pathTo(site, `/battles/${id}`)}"><span class="vh">${said} </span>${score(site, own, other)}</a>${own.battlePoints !== null && html` <span class="sub diff">${words.number(own.battlePoints, decimalsOf([own.battlePoints]))}</span>`}`;
}
