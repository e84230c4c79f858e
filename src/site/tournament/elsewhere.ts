import { html, type Html } from '../parts/html.ts';
import type { SiteSettings } from '../site-settings.ts';
import type { FollowedPlayer } from './statements.ts';
import { starred } from './match.ts';
import { name } from '../parts/names.ts';
import { addressOf } from '../parts/pager.ts';
import type { ShownTournament } from './tournament-frame.ts';

/** The way to the stage of the player in the address, when the shown stage does not have this player. */
export function elsewhere(
  site: SiteSettings,
  { stages, playing = [] }: ShownTournament,
  path: string,
  player: string | undefined,
  followed: FollowedPlayer | null,
  shown: string | undefined,
): Html | undefined {
  if (followed === null || shown === undefined || shown === 'standings') return undefined;
  if (followed.stages.includes(shown)) return undefined;
  const id =
    followed.stages.find((each) => playing.some(({ stage }) => stage === each)) ?? followed.stages[0];
  const stage = stages.find((each) => each.id === id);
  if (stage === undefined) return undefined;
  return html`<p class="elsewhere mine" data-player="${player}">${starred}${name(followed.name)} is in <a href="${addressOf(site, path, { stage: stage.id, player })}">${name(stage.name)}</a></p>`;
}
