import type { ArmyList } from '../../contract/army-list.ts';
import { sortKey } from '../../text/fold.ts';
import { html, joined, type Html } from '../parts/html.ts';
import { isSlug, type PageRoute } from '../page.ts';
import { guestKey } from '../parts/guests.ts';
import { name, person } from '../parts/names.ts';
import { record } from '../parts/numbers.ts';
import { withQuery } from '../parts/pager.ts';
import { steps } from './round-steps.ts';
import { downloads } from './downloads.ts';
import { shownClub, shownTournament, type ShownTournament, tournamentFrame } from './tournament-frame.ts';
import { isCurrent } from '../parts/tabs.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { participantsByName, participantsOfPage, type ParticipantsRow } from './statements.ts';

const pageSize = 100;

/**
 * Who takes part, with clubs and lists: by name, when it is over by place. `after` counts the players on the pages before.
 * Links from podium and boards name a player: then the list is unfolded.
 */
export function tournamentParticipantsPage(site: SiteSettings): PageRoute {
  return {
    path: '/tournaments/:slug/participants',
    query: ['after', 'name', 'by'],
    scope: ({ slug }) => `tournament:${slug}`,
    make: async ({ params: { slug }, query, today, read }) => {
      const after = afterOf(query['after']);
      if (!isSlug(slug) || after === undefined || ![undefined, 'name'].includes(query['by']))
        return undefined;
      const wanted = sortKey(query['name'] ?? '') || null;
      const isByName = query['by'] === 'name';
      const values = [slug, after, pageSize, wanted];
      const statement = isByName ? participantsByName : participantsOfPage;
      const [row] = await read<ParticipantsRow>(statement, values, ([first]) =>
        first ? [...shownClub(first), ...clubsOf(first)] : [],
      );
      if (row === undefined || row.document === null) return undefined;
      const people = row.participants ?? [];
      if (after > 0 && people.length === 0) return undefined;
      const tournament = shownTournament(site, row, row.document, today);
      const path = `${tournament.path}/participants`;
      const { words } = site;
      const said = words.participants;
      // A version before has published it without places.
      const hasPlaces = people.some(({ shown }) => shown.result.wins !== undefined);
      const address = (start: number, inOrderOfNames = isByName && hasPlaces) =>
        withQuery(path, {
          after: start === 0 ? undefined : String(start),
          by: inOrderOfNames ? 'name' : undefined,
        });
      const pages = (label: string) => wanted === null && pageSteps(site, tournament, address, after, label);
      return {
        text: tournamentFrame(site, tournament, {
          tab: 'participants',
          title: said.title,
          canonical: address(after),
          asked: query['name'],
          isPrivate: wanted !== null,
          main: html`<section aria-labelledby="players">
<div class="heading"><h2 id="players">${wanted === null && people.length > 0 ? words.players(tournament.players) : said.title}</h2>
${
  wanted === null &&
  hasPlaces &&
  steps(said.order, [
    { address: pathTo(site, address(0, false)), label: html`${said.byPlace}`, isShown: !isByName },
    { address: pathTo(site, address(0, true)), label: html`${said.byName}`, isShown: isByName },
  ])
}</div>
${
  people.length === 0
    ? html`<p class="empty">${wanted === null ? said.nobody : said.noSuchName}</p>`
    : html`${pages(said.pages)}
<ol class="field${hasPlaces && ' placed'}">${people.map((each, index) => item(site, tournament.slug, each, after + index + 1, wanted))}
</ol>
${pages(said.pagesAgain)}`
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
  return (participants ?? []).flatMap(({ shown: { participant }, club }) =>
    participant.club === null
      ? []
      : [{ scope: `club:${participant.club}` as const, revision: BigInt(club?.revision ?? 0) }],
  );
}

function pageSteps(
  site: SiteSettings,
  { players }: ShownTournament,
  address: (start: number) => string,
  shown: number,
  label: string,
): Html | undefined {
  if (players <= pageSize) return undefined;
  const starts = Array.from({ length: Math.ceil(players / pageSize) }, (_, index) => index * pageSize);
  return html`<nav class="tabs steps" aria-label="${label}"><ul>${starts.map(
    (start) => html`
<li><a href="${pathTo(site, address(start))}"${start === shown && isCurrent}>${start + 1}–${Math.min(start + pageSize, players)}</a></li>`,
  )}
</ul></nav>`;
}

type Shown = NonNullable<ParticipantsRow['participants']>[number];

/** `wanted`: the folded name that was looked for. */
function item(
  site: SiteSettings,
  slug: string,
  { shown: { entry, participant, result }, club }: Shown,
  count: number,
  wanted: string | null,
): Html {
  const { list, group, dropped } = participant;
  const { rank = null, wins, draws = 0, losses = 0 } = result;
  const faction = result.faction ?? list?.faction;
  const facts = [
    ...(faction ? [name(faction)] : []),
    ...(list !== null && list.subFaction !== '' ? [name(list.subFaction)] : []),
    ...(group === null ? [] : [name(group)]),
    ...(participant.club !== null && club !== null
      ? [html`<a href="${pathTo(site, `/clubs/${participant.club}`)}">${name(club.name)}</a>`]
      : []),
    ...(dropped ? [site.words.board.dropped] : []),
  ];
  const isWanted = wanted !== null && sortKey(participant.player) === wanted;
  return html`
<li>${
    wins !== undefined &&
    html`<span class="place">${rank ?? '–'}${rank !== null && html`<span class="vh">. </span>`}</span>`
  }${person(site, { ...participant, guest: guestKey(site, slug, entry) })}${wins !== undefined && html`<span class="nb">${record({ wins, draws, losses })}</span>`}${facts.length > 0 && html`<span class="sub">${joined(facts, ' · ')}</span>`}${
    list === null
      ? isWanted && html`<p class="empty">${site.words.battle.noList}</p>`
      : listDetails(site, list, count, isWanted)
  }</li>`;
}

function listDetails(
  { words }: SiteSettings,
  { points, battleTacticCards, text }: ArmyList,
  count: number,
  isOpen: boolean,
): Html | false {
  if (text === '' && battleTacticCards.length === 0) return false;
  return html`<details id="list-${count}"${isOpen && html` open`}><summary>${words.participants.listWith(words.points(points))}</summary>${
    battleTacticCards.length > 0 &&
    html`<p class="sub">${words.participants.cards(joined(battleTacticCards.map(name), ', '))}</p>`
  }${text !== '' && html`<pre class="list" lang="" dir="auto">${text}</pre>`}</details>`;
}
