import type { PageBases } from '../read/page-address.ts';
import type { Html } from './html.ts';
import type { Words } from './words/en.ts';
import { type Language, languages } from '../text/languages.ts';
import { tables } from './words/languages.ts';

/** The settings that every page knows, besides its documents. */
export interface SiteSettings {
  /** The public address, without a slash at the end. It may have a path. */
  siteUrl: string;
  /** The name that the operator gives to the site. */
  siteName: string;
  /** The beginnings of the page addresses that are given to others, for example by the API. */
  pageBases: PageBases;
  apiUrl: string;
  /** The operator's contact and terms. The contact may be a mailto: address. */
  contactUrl: string | undefined;
  termsUrl: string | undefined;
  /** A key that everybody may try. */
  trialKey: string | undefined;
  /** The public address of the folder that `wartable files` writes. */
  dataUrl: string | undefined;
  /**
   * False if the operator has pages of their own. Then the site has only the reference, the guides and
   * openapi.json.
   */
  hasPages: boolean;
  /** True if pages of other sites may show standings in a frame. */
  hasEmbed: boolean;
  /** True if guests have pages and can be followed and found. */
  hasGuests: boolean;
  /** Set if the pages become files, without search, script and addresses of this server. */
  savedAt?: Date | undefined;
  assets: AssetPaths;
  /** The language of addresses without a language prefix. */
  siteLanguage: Language;
  /** The messages of all pages, in one language. */
  words: Words;
  /** The prefix of paths to pages in the language of this page. It is empty in the site's own language. */
  ownPath: string;
  /** The languages of the page. Guides, the reference and files are in one language only and have none. */
  translations: readonly Translation[];
}

interface Translation {
  language: Language;
  /** The name of the language, in that language. */
  name: string;
  /** The prefix of the paths to its pages. */
  path: string;
}

/** Returns the settings of the same site in a language. */
export function siteIn(site: SiteSettings, language: Language): SiteSettings {
  const pathIn = (each: Language) => (each === site.siteLanguage ? '' : `/${each}`);
  return {
    ...site,
    words: tables[language],
    ownPath: pathIn(language),
    translations: languages.map((each) => ({ language: each, name: tables[each].name, path: pathIn(each) })),
  };
}

export interface AssetPaths {
  style: string;
  script: string;
  /** The screen in the hall needs these as well. */
  screenStyle: string;
  screenScript: string;
  icon: string;
  /** The icon for a phone's home screen. */
  touchIcon: string;
  /**
   * The image for link previews, 1,200 × 630. It names nothing, so that it fits every page and every
   * operator.
   */
  preview: string;
}

/**
 * Returns the path of a page as links contain it, with the path of the public address and in the language of
 * the page.
 */
export function pathTo(site: SiteSettings, path: string): string {
  return `${basePath(site.siteUrl)}${site.ownPath}${path}`;
}

/** Returns the path of something that has no language: guides, files and feeds. */
export function fileTo({ siteUrl }: Pick<SiteSettings, 'siteUrl'>, path: string): string {
  return `${basePath(siteUrl)}${path}`;
}

export function basePath(siteUrl: string): string {
  const known = basePaths.get(siteUrl);
  if (known !== undefined) return known;
  const base = new URL(siteUrl).pathname.replace(/\/$/, '');
  basePaths.set(siteUrl, base);
  return base;
}

/** Kept because a page has hundreds of links, and a server has one address. */
const basePaths = new Map<string, string>();

/** A page without its frame. */
export interface PageParts {
  title: string;
  description: string;
  /** The part between header and footer. */
  main: Html;
  /** The kind of the page, for the style sheet. */
  kind?: string | undefined;
  /** The class of the page's hue. A tournament has the colour of its organiser. */
  hue?: string | undefined;
  /** The path of the canonical address, without the path of the site. */
  canonical?: string | undefined;
  /** Further elements for the head, such as JSON-LD or the link to a feed. */
  head?: Html | undefined;
  /** True if the page loads the script, which marks followed players and keeps a live page up to date. */
  hasScript?: boolean;
  /** The tag of a live page, with which the script keeps it up to date. */
  live?: string | undefined;
  /** The text that was searched for, which stays in the search field of the header. */
  asked?: string | undefined;
  /**
   * The path of the tournament that the page is about. The field in the header then finds its participants.
   */
  event?: string | undefined;
  /** True if search engines must leave the page out. */
  isPrivate?: boolean | undefined;
}
