/** The languages in which the pages are available. */
export const languages = ['en', 'de', 'fr', 'es', 'it', 'pl'] as const;

export type Language = (typeof languages)[number];

export function isLanguage(text: string | undefined): text is Language {
  return languages.some((language) => language === text);
}
