import type { ArmyList } from '../../contract/army-list.ts';
import { fold } from '../../text/fold.ts';
import { html, type Html } from '../html.ts';
import { isSlug, type PageRoute } from '../page.ts';
import { name, person } from '../parts/names.ts';
import { counted, ordinal } from '../parts/numbers.ts';
import { downloads } from '../parts/downloads.ts';
import {
  shownClub,
  shownTournament,
  type ShownTournament,
  tournamentFrame,
} from '../parts/tournament-frame.ts';
import { isCurrent } from '../parts/tabs.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { participantsOfPage, type ParticipantsRow } from '../statements/tournament.ts';

const pageSize = 100;

/** Who takes part, by name, with clubs and lists. `after` counts the players on the pages before. */
export function tournamentParticipantsPage(site: SiteSettings): PageRoute {
  return {
    path: '/tournaments/:slug/participants',
    query: ['after', 'name'],
    scope: ({ slug }) => `tournament:${slug}`,
    make: async ({ params: { slug }, query, today, read }) => {
      const after = afterOf(query['after']);
      if (!isSlug(slug) || after === undefined) return undefined;
      const wanted = fold(query['name'] ?? '') || null;
      const values = [slug, after, pageSize, wanted];
      const [row] = await read<ParticipantsRow>(participantsOfPage, values, ([first]) =>
        first ? [...shownClub(first), ...clubsOf(first)] : [],
      );
      if (row === undefined || row.document === null) return undefined;
      const people = row.participants ?? [];
      if (after > 0 && people.length === 0) return undefined;
      const tournament = shownTournament(row, row.document, today);
      const path = `${tournament.path}/participants`;
      return {
        text: tournamentFrame(site, tournament, {
          tab: 'participants',
          title: 'Players',
          canonical: after === 0 ? path : `${path}?after=${after}`,
          asked: query['name'],
          isPrivate: wanted !== null,
          main: html`<section aria-labelledby="players">
<h2 id="players">Players</h2>
${
  people.length === 0
    ? html`<p class="empty">${wanted === null ? 'Nobody has signed up yet.' : 'No player of that name.'}</p>`
    : html`${wanted === null && pages(site, tournament, path, after, 'Pages')}
<ol class="events two">${people.map((each, index) => item(site, each, after + index + 1))}
</ol>
${wanted === null && pages(site, tournament, path, after, 'Pages, again')}`
}
</section>
${downloads(site, tournament, undefined)}`,
        }),
      };
    },
  };
}

/** Only the first players of pages have an address, so that there are few of them. */
function afterOf(text: string | undefined): number | undefined {
  if (text === undefined) return 0;
  return /^[1-9][0-9]{0,3}00$/.test(text) ? Number(text) : undefined;
}

function clubsOf({ participants }: ParticipantsRow) {
  return (participants ?? []).flatMap(({ participant, club }) =>
    participant.club === null
      ? []
      : [{ scope: `club:${participant.club}` as const, revision: BigInt(club?.revision ?? 0) }],
  );
}

function pages(
  site: SiteSettings,
  { players }: ShownTournament,
  path: string,
  shown: number,
  label: string,
): Html | undefined {
  if (players <= pageSize) return undefined;
  const starts = Array.from({ length: Math.ceil(players / pageSize) }, (_, index) => index * pageSize);
  return html`<nav class="tabs steps" aria-label="${label}"><ul>${starts.map(
    (start) => html`
<li><a href="${pathTo(site, start === 0 ? path : `${path}?after=${start}`)}"${start === shown && isCurrent}>${start + 1}–${Math.min(start + pageSize, players)}</a></li>`,
  )}
</ul></nav>`;
}

type Shown = NonNullable<ParticipantsRow['participants']>[number];

function item(site: SiteSettings, { participant, club }: Shown, count: number): Html {
  const { list, group, dropped, finalPlacement } = participant;
  const facts = [
    finalPlacement !== null && html`${ordinal(finalPlacement)} place`,
    list !== null && name(list.faction),
    list !== null && list.subFaction !== '' && name(list.subFaction),
    group !== null && name(group),
    participant.club !== null &&
      club !== null &&
      html`<a href="${pathTo(site, `/clubs/${participant.club}`)}">${name(club.name)}</a>`,
  ].filter((fact) => fact !== false);
  return html`
<li>${person(site, participant)}${dropped && html`<span class="badge">Dropped</span>`}${facts.length > 0 && html`<span class="sub">${facts.map((fact, index) => html`${index > 0 && ' · '}${fact}`)}</span>`}${list !== null && listDetails(list, count)}</li>`;
}

function listDetails({ points, battleTacticCards, text }: ArmyList, count: number): Html | false {
  if (text === '' && battleTacticCards.length === 0) return false;
  return html`<details id="list-${count}"><summary>List, ${counted(points, 'point')}</summary>${
    battleTacticCards.length > 0 &&
    html`<p class="sub">Battle tactic cards: ${battleTacticCards.map((card, index) => html`${index > 0 && ', '}${name(card)}`)}</p>`
  }${text !== '' && html`<pre class="list" lang="" dir="auto">${text}</pre>`}</details>`;
}
