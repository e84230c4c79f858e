// Three small sheets to begin with. With a slug they can be converted and imported as they are, and they are
// not public.
import type { Language } from '../text/languages.ts';
import { headerNames } from './headers.ts';

/** The words in the sheets that the reader must know. Names are the organiser's to replace. */
const words: Record<Language, { fact: string; value: string; ongoing: string; no: string; major: string }> = {
  en: { fact: 'fact', value: 'value', ongoing: 'ongoing', no: 'no', major: 'major' },
  de: { fact: 'Angabe', value: 'Wert', ongoing: 'laufend', no: 'nein', major: 'großer' },
  fr: { fact: 'donnée', value: 'valeur', ongoing: 'en cours', no: 'non', major: 'majeure' },
  es: { fact: 'dato', value: 'valor', ongoing: 'en curso', no: 'no', major: 'mayor' },
  it: { fact: 'dato', value: 'valore', ongoing: 'in corso', no: 'no', major: 'maggiore' },
  pl: { fact: 'dane', value: 'wartość', ongoing: 'trwa', no: 'nie', major: 'duża' },
};

/**
 * Returns the sheets. `day` is the day of the event, because the page of a past event is not live. Where Excel
 * expects semicolons, it shows a file with commas as one column, and without a byte order mark it takes UTF-8
 * for Windows-1252.
 */
export function template(day: string, language: Language = 'en') {
  const { fact, value, ongoing, no, major } = words[language];
  const [mark, separator] = language === 'en' ? ['', ','] : ['\uFEFF', ';'];
  const csv = (rows: string[][]): string => mark + rows.map((row) => `${row.join(separator)}\n`).join('');
  // In English they are our own names, which the guide explains.
  const header = (sheet: keyof typeof headerNames) => (column: string) =>
    language === 'en'
      ? column
      : (headerNames[sheet]
          .find((each) => each.column === column)
          ?.names.find((each) => each.language === language)?.names[0] ?? column);
  const columns = (sheet: keyof typeof headerNames, names: string): string[] =>
    names.split(',').map(header(sheet));
  const facts = [
    ['slug', ''],
    ['name', 'Club Cup 2026'],
    ['status', ongoing],
    ['published', no],
    ['start', day],
    ['end', day],
    ['city', 'Example Town'],
    ['country', 'Exampleland'],
    ['size', '2000'],
    ['pack', ''],
    ['rounds', '3'],
    ['top', ''],
    // Excel makes a date of 3/1/0.
    ['scoring', '3 | 1 | 0'],
    ['organiser', ''],
  ] as const;
  return {
    'event.csv': csv([[fact, value], ...facts.map(([name, text]) => [header('event')(name), text])]),
    'players.csv': csv([
      columns('players', 'no,name,club,faction,subfaction,points,list,dropped,place'),
      ['1', 'First Player', '', 'Lanternsworn', 'Long Vigil', '2000', '', '', ''],
      ['2', 'Second Player', '', 'Rimehold Kin', '', '', '', '', ''],
      ['3', 'Third Player', '', 'Marrow Choir', '', '', '', '', ''],
    ]),
    'games.csv': csv([
      columns('games', 'round,table,player 1,player 2,result,vp 1,vp 2,bp 1,bp 2,scenario,date'),
      ['1', '1', '1', '2', `1 ${major}`, '20', '9', '', '', 'Three Wells', day],
      ['1', '', '3', '', '', '', '', '', '', '', ''],
      ['2', '1', '2', '3', '', '14', '14', '', '', 'Twin Gates', day],
      ['2', '', '1', '', '', '', '', '', '', '', ''],
      ['3', '1', '3', '1', '', '', '', '', '', 'Last Ferry', day],
    ]),
  };
}
