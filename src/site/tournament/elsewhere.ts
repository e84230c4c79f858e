import { html, type Html } from '../parts/html.ts';
import type { SiteSettings } from '../site-settings.ts';
import type { FollowedPerson } from './statements.ts';
import { followQuery } from '../page.ts';
import { starred } from './match.ts';
import { name } from '../parts/names.ts';
import { addressOf } from '../parts/pager.ts';
import type { ShownTournament } from './tournament-frame.ts';

/** The way to the stage of whom the address follows, when they are not in the shown stage. */
export function elsewhere(
  site: SiteSettings,
  { stages, playing = [] }: ShownTournament,
  path: string,
  key: string | undefined,
  followed: FollowedPerson | null,
  shown: string | undefined,
): Html | undefined {
  if (followed === null || shown === undefined || shown === 'standings') return undefined;
  if (followed.stages.includes(shown)) return undefined;
  const id =
    followed.stages.find((each) => playing.some(({ stage }) => stage === each)) ?? followed.stages[0];
  const stage = stages.find((each) => each.id === id);
  if (stage === undefined) return undefined;
  const link = html`<a href="${addressOf(site, path, { stage: stage.id, ...followQuery(key) })}">${name(stage.name)}</a>`;
  return html`<p class="elsewhere mine" data-follow="${key}">${starred(site.words)}${site.words.event.isIn(name(followed.name), link)}</p>`;
}
