import { html, type Html } from '../html.ts';
import { crest, disc, hueOf } from './crest.ts';

/** The crest and the hue that stand for a club or a faction. */
export interface Sign {
  crest: Html;
  hue: string;
}

export const signOfClub = (club: string): Sign => ({ crest: disc(club), hue: hueOf(club) });
export const signOfFaction = (faction: string): Sign => ({ crest: crest(faction), hue: hueOf(faction) });

interface Banner {
  /** Undefined for a banner in the colour of the site. */
  sign: Sign | undefined;
  title: Html;
  facts: readonly (Html | string)[];
  more?: Html | false | undefined;
  /** The key of the player whom the page shows, for the script. */
  followed?: string;
}

/** Draws the head of the page of a club, a player or a faction. */
export function banner({ sign, title, facts, more, followed }: Banner): Html {
  return html`<header class="banner top${sign && ` ${sign.hue}`}">
<div class="me-head">${sign?.crest}<div class="title">
<h1${followed !== undefined && html` data-follow="${followed}"`}>${title}</h1>
${facts.length > 0 && html`<p class="facts">${facts.map((fact) => html`<span>${fact}</span>`)}</p>`}
</div></div>
${more}
</header>`;
}
