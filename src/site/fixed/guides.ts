import { readdirSync, readFileSync } from 'node:fs';
import { Marked, type Tokens } from 'marked';
import { framed } from '../parts/frame.ts';
import { html, type Html, raw } from '../html.ts';
import { fileTo, type SiteSettings } from '../site-settings.ts';

// The guides for callers, docs/api, as pages and as Markdown. They are made once, because the files are part
// of the program and do not change.

export interface Guide {
  path: string;
  title: string;
  /** The text with the addresses of this site, and with its trial key if it has one. */
  markdown: string;
}

const folder = new URL('../../../docs/api/', import.meta.url);

/** Reads the guides: the overview first, then the others in the order in which it lists them. */
export function readGuides(site: SiteSettings): Guide[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'));
  const guides = files.map((file) => {
    const written = readFileSync(new URL(file, folder), 'utf8');
    const [, title = file] = /^# (.+)$/m.exec(written) ?? [];
    return { path: pathOf(file), title, markdown: onThisSite(site, written) };
  });
  const overview = guides.find(({ path }) => path === '/docs')?.markdown ?? '';
  const positionOf = ({ path }: Guide) =>
    path === '/docs' ? -1 : overview.lastIndexOf(`(${path.slice('/docs/'.length)}.md)`);
  return guides.toSorted((a, b) => positionOf(a) - positionOf(b));
}

/** The sentence of a guide that says how to get a key. A site with a trial key shows that key instead. */
const howToGetAKey = /You need an API key: ask the operator for one[^.]*\./;

function onThisSite({ apiUrl, dataUrl, trialKey }: SiteSettings, markdown: string): string {
  const ours = markdown
    .replaceAll('http://localhost:3000', apiUrl)
    .replaceAll('https://results.example.org/data', dataUrl ?? '$&');
  if (trialKey === undefined) return ours;
  return ours
    .replace(
      howToGetAKey,
      () =>
        `\`${trialKey}\` is a key to try with. Everybody shares it, so its limit is tight: ask the operator for a key of your own.`,
    )
    .replaceAll('export KEY=…', () => `export KEY=${trialKey}`)
    .replace('Bearer $KEY" "http', () => `Bearer ${trialKey}" "http`);
}

function pathOf(file: string): string {
  return file === 'README.md' ? '/docs' : `/docs/${file.slice(0, -'.md'.length)}`;
}

export function guidePage(site: SiteSettings, guides: readonly Guide[], guide: Guide): string {
  const links = [
    ['/docs', 'All guides'],
    ['/reference/', 'Reference'],
    [`${guide.path}.md`, 'As Markdown'],
  ] as const;
  const shown = links.filter(([path]) => path !== guide.path);
  return framed(site, {
    title: guide.title,
    description: `${guide.title}: a guide to the API of this site.`,
    canonical: guide.path,
    main: html`<nav class="tabs" aria-label="Guides"><ul>${shown.map(([path, text]) => html`<li><a href="${fileTo(site, path)}">${text}</a></li>`)}</ul></nav>
<article class="guide">
${rendered(site, guides, guide.markdown)}</article>`,
  });
}

/** Renders a guide. Its links to other guides lead to their pages. */
function rendered(site: SiteSettings, guides: readonly Guide[], markdown: string): Html {
  const titleOf = (file: string) => guides.find(({ path }) => path === pathOf(file))?.title ?? file;
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
  return raw(marked.parse(markdown, { async: false }));
}

/** Returns the Markdown of a guide with whole addresses: a program that reads it may know nothing else. */
export function guideAsMarkdown({ siteUrl }: SiteSettings, { markdown }: Guide): string {
  return markdown.replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_, text: string, target: string) => {
    const path = pathOfLink(target);
    if (path === undefined) return text;
    return `[${text}](${path.startsWith('/') ? siteUrl : ''}${path.replace(/^(\/docs[\w/-]*)(#|$)/, '$1.md$2')})`;
  });
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

/** Makes an anchor from a heading as code hosts do. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
