import { readFileSync } from 'node:fs';
import type { SiteSettings } from '../site-settings.ts';
import type { FixedPage } from './fixed-pages.ts';

/** The parts that we read of what `npm run generate` makes from the contract. */
interface Contract {
  info: { title: string; contact: object };
  paths: Record<string, { get: { summary: string } }>;
}

type ContractFile = 'openapi.json' | 'openapi-extra.json';

const textOf = (file: ContractFile) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

export const readContract = (file: ContractFile, changed = (text: string) => text) =>
  JSON.parse(changed(textOf(file))) as Contract;

/**
 * Returns the contract with the address of the installation, so that people can try requests, and with its
 * name, terms and contact.
 */
export function contractPage(file: ContractFile, site: SiteSettings): FixedPage {
  const { apiUrl, siteName, pageBases, termsUrl, contactUrl } = site;
  const document = readContract(file, (text) =>
    Object.entries(pageBases).reduce(
      (changed, [folder, base]) => changed.replaceAll(`https://wartable.example/${folder}/`, base),
      text.replaceAll('https://api.wartable.example', apiUrl),
    ),
  );
  const { info } = document;
  const contact = contactUrl?.startsWith('mailto:')
    ? { email: contactUrl.slice('mailto:'.length) }
    : { url: contactUrl };
  return {
    type: 'application/json; charset=utf-8',
    text: JSON.stringify({
      ...document,
      info: {
        ...info,
        title: info.title.replace('Wartable', () => siteName),
        ...(termsUrl === undefined ? {} : { termsOfService: termsUrl }),
        ...(contactUrl === undefined ? {} : { contact: { ...info.contact, ...contact } }),
      },
      servers: [{ url: apiUrl }],
    }),
    // A page of any origin may read it.
    headers: { 'access-control-allow-origin': '*' },
  };
}
