import type { BracketStandings } from '../../../contract/standings.ts';
import type { Stage } from '../../../contract/tournament.ts';
import { html, type Html } from '../html.ts';
import { isSlug, type PageRoute } from '../page.ts';
import { bracketMatch, battlesById } from '../parts/bracket.ts';
import { bracketOf, matchesOf, type Play } from '../parts/bracket-tree.ts';
import { matchBox, type MatchSide, playerInMatch, type ShownMatch, walkoverKey } from '../parts/match.ts';
import { name, person } from '../parts/names.ts';
import { counted, decimalsOf, number } from '../parts/numbers.ts';
import {
  isCurrent,
  revisionsOf,
  shownClub,
  shownTournament,
  tournamentFrame,
} from '../parts/tournament-frame.ts';
import { revisionTags } from '../revision-tag.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { roundOfPage, type RoundsRow, type ShownBattle } from '../statements/tournament.ts';

/** The pairings of one round: of the latest, or of the one that the query names. */
export function tournamentRoundsPage(site: SiteSettings): PageRoute {
  const path = '/tournaments/:slug/rounds';
  return {
    path,
    query: ['stage', 'round'],
    scope: ({ slug }) => `tournament:${slug}`,
    make: async (asked) => {
      const { params, query, read } = asked;
      if (!isSlug(params['slug']) || !isRound(query['round'])) return undefined;
      const tags = revisionTags(site, path, asked);
      const values = [params['slug'], query['stage'] ?? null, query['round'] ?? null, tags.held];
      const [row] = await read<RoundsRow>(roundOfPage, values, ([first]) => (first ? shownClub(first) : []));
      if (row === undefined) return undefined;
      const tag = tags.tag(revisionsOf(row));
      if (row.document === null) return { text: undefined, tag };
      const tournament = shownTournament(row, row.document);
      const stages = tournament.stages.filter(({ rounds }) => rounds !== undefined);
      const stage = stages.find(({ id }) => id === row.stage);
      const play = JSON.parse(row.play ?? '{}') as Play;
      const begun = play.begun ?? stage?.rounds ?? 0;
      if (query['stage'] !== undefined && stage === undefined) return undefined;
      if (query['round'] !== undefined && row.round > begun) return undefined;
      const base = `${tournament.path}/rounds`;
      const search = new URLSearchParams(query as Record<string, string>).toString();
      const text = tournamentFrame(site, tournament, {
        tab: 'rounds',
        title: stage === undefined || begun === 0 ? 'Rounds' : `${stage.name}, round ${row.round}`,
        canonical: search === '' ? base : `${base}?${search}`,
        tag,
        main: html`<section aria-labelledby="round">
<h2 id="round">${stage === undefined || begun === 0 ? 'Rounds' : html`${name(stage.name)}, round ${row.round}`}</h2>
${stages.length > 1 && stageSteps(pathTo(site, base), stages, stage)}
${
  stage !== undefined && begun > 0
    ? html`${roundSteps(pathTo(site, base), stage, begun, row.round)}
${pairings(site, stage, play, row)}`
    : html`<p class="empty">${stage === undefined ? 'No round' : 'No round of this part'} has begun yet.</p>`
}
</section>`,
      });
      return { text, tag };
    },
  };
}

function isRound(text: string | undefined): boolean {
  return text === undefined || /^([1-9][0-9]{0,3}|10000)$/.test(text);
}

function stageSteps(base: string, stages: readonly Stage[], shown: Stage | undefined): Html {
  return html`<nav class="tabs steps" aria-label="Stages"><ul>${stages.map(
    ({ id, name: label }) => html`
<li><a href="${base}?stage=${encodeURIComponent(id)}"${id === shown?.id && isCurrent}>${name(label)}</a></li>`,
  )}
</ul></nav>`;
}

function roundSteps(base: string, { id }: Stage, begun: number, shown: number): Html {
  return html`<nav class="tabs steps" aria-label="Rounds"><ul>${roundsNear(shown, begun).map(
    (round) => html`
<li><a href="${base}?stage=${encodeURIComponent(id)}&amp;round=${round}"${round === shown && isCurrent}>Round ${round}</a></li>`,
  )}
</ul></nav>`;
}

/** All of an ordinary event. A feed can name round 10,000 by mistake: then the first, the last, and those around the shown one. */
function roundsNear(shown: number, begun: number): number[] {
  const from = Math.max(1, Math.min(shown - 10, begun - 20));
  const near = Array.from({ length: Math.min(begun, 21) }, (_, index) => from + index);
  return [...new Set([1, ...near, begun])];
}

function pairings(site: SiteSettings, stage: Stage, play: Play, row: RoundsRow): Html {
  const matches = [...matchesOfBracket(site, stage, play, row)];
  const playing = matches.filter(({ state }) => state !== 'over');
  const over = matches.filter(({ state }) => state === 'over');
  const byes = (play.byes ?? []).filter(({ round }) => round === row.round);
  const walkovers = matches.some(({ sides }) => sides.some(({ score }) => score === 'w/o'));
  const tables = matches.some(({ lead }) => lead?.word === 'Table') && ' The number in front is the table.';
  return html`<p class="meta">${over.length} of ${counted(matches.length, 'result')} in. Numbers behind names are victory points${walkovers ? walkoverKey : '.'}${tables}</p>
${playing.length > 0 && boxes('Still playing', playing)}
${over.length > 0 && boxes('Results', over)}
${
  byes.length > 0 &&
  html`<section>
<h3>Byes</h3>
<ul class="comers">${byes.map(
    (bye) => html`
<li>${person(site, bye)}</li>`,
  )}
</ul>
</section>`
}`;
}

function boxes(title: string, matches: readonly ShownMatch[]): Html {
  return html`<section>
<h3>${title}</h3>
<ol class="pairings">${matches.map(
    (match) => html`
<li>${matchBox(match)}</li>`,
  )}
</ol>
</section>`;
}

/** Of a bracket first its matches, which need no battle. Then the battles that no match names. */
function* matchesOfBracket(
  site: SiteSettings,
  stage: Stage,
  play: Play,
  row: RoundsRow,
): Generator<ShownMatch> {
  const named = new Set<string>();
  if (row.standings !== null) {
    const { data } = JSON.parse(row.standings) as BracketStandings;
    const bracket = bracketOf(data, play, stage.rounds ?? 0);
    const battles = battlesById(row.battles);
    for (const match of matchesOf(bracket)) {
      if (match.battle !== null) named.add(match.battle);
      if (match.inRound === row.round) yield bracketMatch(site, match, battles);
    }
  }
  for (const each of row.battles ?? []) if (!named.has(each.battle.id)) yield pairing(site, each);
}

function pairing(site: SiteSettings, { table, battle }: ShownBattle): ShownMatch {
  const decimals = decimalsOf(battle.players.flatMap(({ victoryPoints }) => victoryPoints ?? []));
  const [first, second] = battle.players.map((side) => sideOfPairing(side, decimals));
  const isOver = battle.players.some(({ outcome }) => outcome !== null);
  return {
    address: pathTo(site, `/battles/${battle.id}`),
    lead: table === null ? undefined : { word: 'Table', number: table },
    state: isOver ? 'over' : 'open',
    sides: [first ?? nobody, second ?? nobody],
  };
}

const nobody: MatchSide = { who: html`–` };

function sideOfPairing(
  { player, faction, outcome, victoryPoints }: ShownBattle['battle']['players'][number],
  decimals: number,
): MatchSide {
  return {
    who: playerInMatch(player),
    faction,
    outcome: outcome === null ? undefined : spoken[outcome],
    score: victoryPoints === null ? undefined : number(victoryPoints, decimals),
  };
}

const spoken = { win: 'won', loss: 'lost', draw: 'drew' } as const;
