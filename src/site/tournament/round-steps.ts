import type { Stage } from '../../contract/tournament.ts';
import { html, type Html } from '../html.ts';
import type { PageRequest } from '../page.ts';
import type { SiteSettings } from '../site-settings.ts';
import { name } from '../parts/names.ts';
import { addressOf } from '../parts/pager.ts';
import { isCurrent } from '../parts/tabs.ts';

// Links from one round to another. `base` is the path of the page of rounds.

type Query = PageRequest['query'];

export interface RoundSteps {
  stage: Stage;
  /** The rounds on the page: one, or those that the groups are in. */
  shown: readonly number[];
  begun: number;
  labelOf: (round: number) => Html;
  /**
   * True if the groups of the stage are in different rounds. Then a page without a round in its address shows
   * all of these.
   */
  areMany: boolean;
}

/** Draws one strip with the stages, in which the shown stage is followed by its rounds. */
export function roundSteps(
  site: SiteSettings,
  base: string,
  stages: readonly Stage[],
  rounds: RoundSteps | undefined,
  { by }: Query,
): Html {
  const t = site.words.rounds;
  return steps(
    t.title,
    stages.flatMap((stage) => {
      const address = (round?: string) => addressOf(site, base, { stage: stage.id, round, by });
      if (stage.id !== rounds?.stage.id)
        return [{ address: address(), label: name(stage.name), isShown: false }];
      const { shown, begun, labelOf, areMany } = rounds;
      const only = shown.length === 1 ? shown[0] : undefined;
      return [
        ...(stages.length > 1 ? [{ label: name(stage.name) }] : []),
        ...(areMany ? [{ address: address(), label: html`${t.now}`, isShown: only === undefined }] : []),
        ...roundsNear(Math.max(...shown), begun).map((round) => ({
          address: address(String(round)),
          label: labelOf(round),
          isShown: round === only,
        })),
      ];
    }),
  );
}

/**
 * Draws links that change only the order. If the address names no round, the page keeps following the
 * tournament.
 */
export function orderSteps(site: SiteSettings, base: string, query: Query): Html {
  const t = site.words.rounds;
  return steps(t.order, [
    {
      address: addressOf(site, base, { ...query, by: undefined }),
      label: html`${t.byTable}`,
      isShown: query['by'] === undefined,
    },
    {
      address: addressOf(site, base, { ...query, by: 'player' }),
      label: html`${t.byName}`,
      isShown: query['by'] === 'player',
    },
  ]);
}

/** A step without an address is a word, not a link. */
type Step = { address: string; label: Html; isShown: boolean } | { label: Html };

export function steps(label: string, links: readonly Step[]): Html {
  return html`<nav class="tabs steps strip" aria-label="${label}"><ul>${links.map((step) =>
    'address' in step
      ? html`
<li><a href="${step.address}"${step.isShown && isCurrent}>${step.label}</a></li>`
      : html`
<li class="of">${step.label}</li>`,
  )}
</ul></nav>`;
}

/**
 * Returns all rounds of an ordinary tournament. A feed can name round 10,000 by mistake. Then there are only
 * the first round, the last one, and those around the shown one.
 */
function roundsNear(shown: number, begun: number): number[] {
  const from = Math.max(1, Math.min(shown - 10, begun - 20));
  const near = Array.from({ length: Math.min(begun, 21) }, (_, index) => from + index);
  return [...new Set([1, ...near, begun])];
}
