import { readFileSync } from 'node:fs';
import type { FixedPage } from './fixed-pages.ts';
import { digestOf } from '../parts/revision-tag.ts';
import { basePath, type AssetPaths } from '../site-settings.ts';

/**
 * Reads the files that every page loads. Their paths contain a digest, so a browser may keep them for ever.
 */
export function readAssets(siteUrl: string): { paths: AssetPaths; pages: Record<string, FixedPage> } {
  const pages: Record<string, FixedPage> = {};
  const read = (file: string) => {
    const bytes = readFileSync(new URL(`../../../assets/${file}`, import.meta.url));
    return file.endsWith('.css') ? Buffer.from(withoutSpace(bytes.toString())) : bytes;
  };
  const add = (file: string, type: string): string => {
    const text = read(file);
    const path = `/assets/${digestOf(text)}/${file}`;
    pages[path] = { type, text, headers: { 'cache-control': 'public, max-age=31536000, immutable' } };
    return `${basePath(siteUrl)}${path}`;
  };
  const paths = {
    style: add('style.css', 'text/css; charset=utf-8'),
    script: add('script.js', 'text/javascript; charset=utf-8'),
    screenStyle: add('screen.css', 'text/css; charset=utf-8'),
    screenScript: add('screen.js', 'text/javascript; charset=utf-8'),
    icon: add('icon.svg', 'image/svg+xml'),
    touchIcon: add('touch-icon.png', 'image/png'),
    preview: add('preview.png', 'image/png'),
  };
  // Some programs look for an icon only at this path.
  pages['/favicon.ico'] = {
    type: 'image/x-icon',
    text: read('favicon.ico'),
    headers: { 'cache-control': 'public, max-age=86400' },
  };
  return { paths, pages };
}

/**
 * Removes from a style sheet what only its readers need. No string in ours contains a comment or two spaces.
 */
function withoutSpace(style: string): string {
  return style.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/\s+/g, ' ');
}
