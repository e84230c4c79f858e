import type { PageBases } from '../read/page-address.ts';
import type { Html } from './html.ts';
import type { Words } from './words/en.ts';
import { type Language, languages } from '../text/languages.ts';
import { tables } from './words/languages.ts';

/** What every page knows beside its documents. */
export interface SiteSettings {
  /** The public address, without a slash at the end. It may have a path. */
  siteUrl: string;
  /** Of the operator. */
  siteName: string;
  /** What the addresses of pages begin with, where they are told to others. */
  pageBases: PageBases;
  apiUrl: string;
  /** Of the operator. May be mailto: for the contact. */
  contactUrl: string | undefined;
  termsUrl: string | undefined;
  /** The folder of `wartable files`. */
  dataUrl: string | undefined;
  /** False when the operator has pages of their own: then only the reference, the guides and openapi.json are here. */
  hasPages: boolean;
  /** Whether pages of others may show standings in a frame. */
  hasEmbed: boolean;
  /** Whether guests have pages and can be followed and found. */
  hasGuests: boolean;
  /** Set when the pages become files: without search, script, and addresses of this server. */
  savedAt?: Date | undefined;
  assets: AssetPaths;
  /** Of the plain addresses. */
  siteLanguage: Language;
  /** All that the pages say themselves, in one language. */
  words: Words;
  /** What the paths of pages in the language of this page begin with: nothing in the site's own language. */
  ownPath: string;
  /** Guides, reference and files are in one language only, and have none. */
  translations: readonly Translation[];
}

interface Translation {
  language: Language;
  /** Of the language, in itself. */
  name: string;
  /** What the paths of its pages begin with. */
  path: string;
}

/** The same site in a language. */
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
  /** For a phone's home screen. */
  touchIcon: string;
  /** For previews of links, 1,200 × 630. It names nothing, so that it fits every page and every operator. */
  preview: string;
}

/** The path of a page as links write it: behind the path of the public address, and in the language of the page. */
export function pathTo(site: SiteSettings, path: string): string {
  return `${basePath(site.siteUrl)}${site.ownPath}${path}`;
}

/** The path of what has no language: guides, files, feeds. */
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

/** A page has hundreds of links, and a server has one address. */
const basePaths = new Map<string, string>();

/** A page before its frame. */
export interface PageParts {
  title: string;
  description: string;
  /** The part between header and footer. */
  main: Html;
  /** What kind of page it is, for the style sheet. */
  kind?: string | undefined;
  /** The class of its hue: an event wears the colour of its organiser. */
  hue?: string | undefined;
  /** The path of the one address that names this page, without the path of the site. */
  canonical?: string | undefined;
  /** More for the head: link previews, JSON-LD. */
  head?: Html | undefined;
  /** The script marks followed players, and keeps a live page fresh. */
  hasScript?: boolean;
  /** The tag of the page. With it, the script keeps the page fresh. */
  live?: string | undefined;
  /** What was searched for: it stays in the field of the header. */
  asked?: string | undefined;
  /** The path of the event that it is about: the field of the header then finds names of this event. */
  event?: string | undefined;
  /** Search engines leave it out. */
  isPrivate?: boolean | undefined;
}
