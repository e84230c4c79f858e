import { readdirSync, readFileSync } from 'node:fs';
import { Marked, type Tokens } from 'marked';
import { framed } from '../parts/frame.ts';
import { html, type Html, raw } from '../html.ts';
import { fileTo, type SiteSettings } from '../site-settings.ts';

/**
 * Returns the pages of docs/api by their path on the site. They are made once, because the files are part of
 * the program and do not change.
 */
export function guidePages(site: SiteSettings): Record<string, string> {
  const guides = readGuides();
  const pages: Record<string, string> = {};
  for (const guide of guides) pages[guide.path] = guidePage(site, guides, guide);
  return pages;
}

interface Guide {
  path: string;
  title: string;
  markdown: string;
}

const folder = new URL('../../../docs/api/', import.meta.url);

/** Reads the guides: the overview first, then the others in the order in which it names them. */
function readGuides(): Guide[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'));
  const guides = files.map((file) => {
    const markdown = readFileSync(new URL(file, folder), 'utf8');
    const [, title = file] = /^# (.+)$/m.exec(markdown) ?? [];
    return { path: pathOf(file), title, markdown };
  });
  const overview = guides.find(({ path }) => path === '/docs')?.markdown ?? '';
  const positionOf = ({ path }: Guide) =>
    path === '/docs' ? -1 : overview.indexOf(`(${path.slice('/docs/'.length)}.md)`);
  return guides.toSorted((a, b) => positionOf(a) - positionOf(b));
}

function pathOf(file: string): string {
  return file === 'README.md' ? '/docs' : `/docs/${file.slice(0, -'.md'.length)}`;
}

function guidePage(site: SiteSettings, guides: readonly Guide[], guide: Guide): string {
  const tab = ({ path, title }: Guide) =>
    html`<li><a href="${fileTo(site, path)}"${path === guide.path && html` aria-current="page"`}>${title}</a></li>`;
  return framed(site, {
    title: guide.title,
    description: `${guide.title}: a guide to the API of this site.`,
    canonical: guide.path,
    main: html`<nav class="tabs" aria-label="Guides"><ul>${guides.map(tab)}<li><a href="${fileTo(site, '/reference/')}">Reference</a></li></ul></nav>
<article class="guide">
${rendered(site, guide.markdown)}</article>`,
  });
}

/**
 * Renders a guide. Its samples call the API and load the files of this site, and its links to other guides
 * lead to their pages.
 */
function rendered(site: SiteSettings, markdown: string): Html {
  const marked = new Marked({
    renderer: {
      link({ href, tokens }: Tokens.Link): string {
        const text = this.parser.parseInline(tokens);
        const path = pathOfLink(href);
        if (path === undefined) return text;
        const address = path.startsWith('/') ? fileTo(site, path) : path;
        return `<a href="${html`${address}`.text}">${text.replace(/^([\w-]+)\.md$/, (file) => titleOf(file))}</a>`;
      },
      heading({ depth, tokens, text }: Tokens.Heading): string {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      // A keyboard must be able to scroll a wide sample.
      code({ text }: Tokens.Code): string {
        return `<pre tabindex="0"><code>${html`${text}`.text}</code></pre>\n`;
      },
    },
  });
  const ours = markdown
    .replaceAll('http://localhost:3000', site.apiUrl)
    .replaceAll('https://results.example.org/data', site.dataUrl ?? '$&');
  return raw(marked.parse(ours, { async: false }));
}

/**
 * Returns where a link leads, or undefined for a file that is not on the site. Then only the text of the link
 * is shown.
 */
function pathOfLink(target: string): string | undefined {
  if (/^https?:\/\//.test(target) || target.startsWith('#')) return target;
  if (/^\.\.\/\.\.\/openapi(-extra)?\.json$/.test(target)) return target.slice(5);
  if (/^\.\.\/recipes\/client\/(wartable|mirror)\.\w+$/.test(target))
    return target.slice('../recipes'.length);
  const [, file, anchor = ''] = /^([\w-]+\.md)(#[\w-]+)?$/.exec(target) ?? [];
  return file === undefined ? undefined : `${pathOf(file)}${anchor}`;
}

function titleOf(file: string): string {
  const [, title = file] = /^# (.+)$/m.exec(readFileSync(new URL(file, folder), 'utf8')) ?? [];
  return title;
}

/** Makes an anchor from a heading as code hosts do. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
