import type { Stage } from '../../contract/tournament.ts';
import { html, type Html } from '../html.ts';
import type { Asked } from '../page.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { name } from './names.ts';
import { addressOf } from './pager.ts';
import { isCurrent } from './tabs.ts';

// The ways from one round to another, and the field to find a name. `base` is the path of the page of rounds.

type Query = Asked['query'];

export function stageSteps(
  site: SiteSettings,
  base: string,
  stages: readonly Stage[],
  shown: Stage | undefined,
  { by, player }: Query,
): Html {
  return steps(
    'Stages',
    stages.map(({ id, name: label }) => ({
      address: addressOf(site, base, { stage: id, by, player }),
      label: name(label),
      isShown: id === shown?.id,
    })),
  );
}

export interface Rounds {
  stage: Stage;
  /** The rounds on the page: one, or those that the groups are in. */
  shown: readonly number[];
  begun: number;
  labelOf: (round: number) => Html;
  /** The groups of the stage are in different rounds: there is a page without a round. */
  areMany: boolean;
}

export function roundSteps(site: SiteSettings, base: string, rounds: Rounds, { by, player }: Query): Html {
  const { stage, shown, begun, labelOf, areMany } = rounds;
  const address = (round?: string) => addressOf(site, base, { stage: stage.id, round, by, player });
  const only = shown.length === 1 ? shown[0] : undefined;
  return steps('Rounds', [
    ...(areMany ? [{ address: address(), label: html`Now`, isShown: only === undefined }] : []),
    ...roundsNear(Math.max(...shown), begun).map((round) => ({
      address: address(String(round)),
      label: labelOf(round),
      isShown: round === only,
    })),
  ]);
}

/** Without a round in the address, a screen in the hall goes on with the event. */
export function orderSteps(site: SiteSettings, base: string, { name: _name, ...query }: Query): Html {
  return steps('Order', [
    {
      address: addressOf(site, base, { ...query, by: undefined }),
      label: html`By table`,
      isShown: query['by'] === undefined,
    },
    {
      address: addressOf(site, base, { ...query, by: 'player' }),
      label: html`By player A–Z`,
      isShown: query['by'] === 'player',
    },
  ]);
}

function steps(label: string, links: readonly { address: string; label: Html; isShown: boolean }[]): Html {
  return html`<nav class="tabs steps" aria-label="${label}"><ul>${links.map(
    (link) => html`
<li><a href="${link.address}"${link.isShown && isCurrent}>${link.label}</a></li>`,
  )}
</ul></nav>`;
}

/** All of an ordinary event. A feed can name round 10,000 by mistake: then the first, the last, and those around the shown one. */
function roundsNear(shown: number, begun: number): number[] {
  const from = Math.max(1, Math.min(shown - 10, begun - 20));
  const near = Array.from({ length: Math.min(begun, 21) }, (_, index) => from + index);
  return [...new Set([1, ...near, begun])];
}

/** The script filters while one types. Without it, the server does. */
export function nameFilter(site: SiteSettings, base: string, query: Query): Html {
  const { name: text = '', ...others } = query;
  return html`<form class="filter" action="${pathTo(site, base)}" role="search" aria-label="This round"><label class="vh" for="filter">Find a name</label><input id="filter" type="search" name="name" placeholder="Find a name" autocomplete="off" maxlength="100" value="${text}">${Object.entries(others).map(([key, value]) => html`<input type="hidden" name="${key}" value="${value}">`)}<button type="submit">Find</button></form>`;
}
