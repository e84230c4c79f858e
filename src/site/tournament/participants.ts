import { sortKey } from '../../text/fold.ts';
import { html, type Html } from '../html.ts';
import { isSlug, type PageRoute } from '../page.ts';
import { crestOf } from '../parts/crest.ts';
import { clubShown } from '../parts/named-clubs.ts';
import { followData, name, participantShown, participantLink } from '../parts/names.ts';
import { winsDrawsLosses } from '../parts/numbers.ts';
import { afterOf, pageSteps, withQuery } from '../parts/pager.ts';
import { steps } from './round-steps.ts';
import { downloads } from './downloads.ts';
import { shownClub, shownTournament, tournamentFrame } from '../tournament-parts/tournament-frame.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import {
  participantsByName,
  participantsOfPage,
  type ParticipantsRow,
} from '../tournament-parts/statements.ts';

const pageSize = 100;

/**
 * Lists the participants with their clubs and a link to each army list, by name, or by placement once the
 * tournament is over. `after` is the number of participants on the pages before.
 */
export function tournamentParticipantsPage(site: SiteSettings): PageRoute {
  return {
    path: '/tournaments/:slug/participants',
    query: ['after', 'name', 'by'],
    scope: ({ slug }) => `tournament:${slug}`,
    make: async ({ params: { slug }, query, today, read }) => {
      const after = afterOf(query['after'], pageSize);
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
      const t = words.participants;
      const hasResults = people.some(({ shown }) => shown.result.wins !== undefined);
      const address = (start: number, inOrderOfNames = isByName && hasResults) =>
        withQuery(path, {
          after: start === 0 ? undefined : String(start),
          by: inOrderOfNames ? 'name' : undefined,
        });
      const size = { count: tournament.players, size: pageSize, after };
      const pages = (label: string) =>
        wanted === null && pageSteps(size, (start) => pathTo(site, address(start)), label);
      return {
        text: tournamentFrame(site, tournament, {
          tab: 'participants',
          title: t.title,
          canonical: address(after),
          asked: query['name'],
          isPrivate: wanted !== null,
          main: html`<section aria-labelledby="players">
<div class="heading"><h2 id="players">${wanted === null && people.length > 0 ? words.players(tournament.players) : t.title}</h2>
${
  wanted === null &&
  hasResults &&
  steps(t.order, [
    { address: pathTo(site, address(0, false)), label: html`${t.byRank}`, isShown: !isByName },
    { address: pathTo(site, address(0, true)), label: html`${t.byName}`, isShown: isByName },
  ])
}</div>
${
  people.length === 0
    ? html`<p class="empty">${wanted === null ? t.nobody : t.noSuchName}</p>`
    : html`${pages(t.pages)}
<ol class="rows people${hasResults && ' placed'}">${people.map((each) => item(site, tournament.slug, each))}
</ol>
${pages(t.pagesAgain)}`
}
</section>
${downloads(site, tournament, undefined)}`,
        }),
      };
    },
  };
}

function clubsOf({ participants }: ParticipantsRow) {
  return (participants ?? []).flatMap(({ shown: { participant }, club }) =>
    clubShown(participant.club, club),
  );
}

type Shown = NonNullable<ParticipantsRow['participants']>[number];

function item(
  site: SiteSettings,
  slug: string,
  { shown: { entry, participant, result }, club }: Shown,
): Html {
  const { words } = site;
  const { list, group, dropped } = participant;
  const { rank = null, wins, draws = 0, losses = 0, isNoShow } = result;
  const faction = result.faction ?? list?.faction;
  const facts = [
    ...(faction ? [name(faction)] : []),
    ...(list !== null && list.subFaction !== '' ? [name(list.subFaction)] : []),
    ...(group === null ? [] : [name(group)]),
    ...(participant.club !== null && club !== null
      ? [html`<a href="${pathTo(site, `/clubs/${participant.club}`)}">${name(club.name)}</a>`]
      : []),
    ...(isNoShow ? [words.board.noShow] : dropped ? [words.board.droppedOut] : []),
  ];
  const rankText =
    wins !== undefined &&
    html`<b class="place">${rank ?? '–'}${rank !== null && html`<span class="vh">. </span>`}</b>`;
  const one = participantShown(site, slug, { ...participant, entry });
  const toList =
    list !== null &&
    one.page !== undefined &&
    html`<a class="sub" href="${pathTo(site, one.page)}#list">${words.participants.listWith(words.points(list.points))}</a>`;
  return html`
<li${followData(one)}>${rankText}${crestOf(faction)}<span>${participantLink(site, one)}${facts.length > 0 && html`<span class="sub apart">${facts.map((fact) => html`<span>${fact}</span> `)}</span>`}</span><span class="num">${wins !== undefined && winsDrawsLosses({ wins, draws, losses })}${toList}</span></li>`;
}
