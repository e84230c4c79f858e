import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Language, languages } from '../../text/languages.ts';
import { html } from '../html.ts';
import { tables } from './languages.ts';

const plain = (text: string) => text.replaceAll(/<[^>]*>/g, '').replaceAll(/[\u00a0\u202f]/g, ' ');
const counts = [0, 1, 2, 5, 12, 22, 1_000];

/** Written by hand, for 0, 1, 2, 5, 12, 22 and 1,000. */
const t: Record<Language, { players: string; results: string; games: string; members: string }> = {
  en: {
    players: '0 players, 1 player, 2 players, 5 players, 12 players, 22 players, 1,000 players',
    results:
      '0 results in, 1 result in, 2 results in, 5 results in, 12 results in, 22 results in, 1,000 results in',
    games: '0 games, 1 game, 2 games, 5 games, 12 games, 22 games, 1,000 games',
    members: '0 members, 1 member, 2 members, 5 members, 12 members, 22 members, 1,000 members',
  },
  de: {
    players: '0 Spieler, 1 Spieler, 2 Spieler, 5 Spieler, 12 Spieler, 22 Spieler, 1.000 Spieler',
    results:
      '0 Ergebnisse da, 1 Ergebnis da, 2 Ergebnisse da, 5 Ergebnisse da, 12 Ergebnisse da, 22 Ergebnisse da, 1.000 Ergebnisse da',
    games: '0 Spiele, 1 Spiel, 2 Spiele, 5 Spiele, 12 Spiele, 22 Spiele, 1.000 Spiele',
    members:
      '0 Mitglieder, 1 Mitglied, 2 Mitglieder, 5 Mitglieder, 12 Mitglieder, 22 Mitglieder, 1.000 Mitglieder',
  },
  fr: {
    players: '0 joueur, 1 joueur, 2 joueurs, 5 joueurs, 12 joueurs, 22 joueurs, 1 000 joueurs',
    results: '0 résultat, 1 résultat, 2 résultats, 5 résultats, 12 résultats, 22 résultats, 1 000 résultats',
    games: '0 partie, 1 partie, 2 parties, 5 parties, 12 parties, 22 parties, 1 000 parties',
    members: '0 membre, 1 membre, 2 membres, 5 membres, 12 membres, 22 membres, 1 000 membres',
  },
  es: {
    players: '0 jugadores, 1 jugador, 2 jugadores, 5 jugadores, 12 jugadores, 22 jugadores, 1000 jugadores',
    results:
      '0 resultados, 1 resultado, 2 resultados, 5 resultados, 12 resultados, 22 resultados, 1000 resultados',
    games: '0 partidas, 1 partida, 2 partidas, 5 partidas, 12 partidas, 22 partidas, 1000 partidas',
    members: '0 miembros, 1 miembro, 2 miembros, 5 miembros, 12 miembros, 22 miembros, 1000 miembros',
  },
  it: {
    players: '0 giocatori, 1 giocatore, 2 giocatori, 5 giocatori, 12 giocatori, 22 giocatori, 1000 giocatori',
    results: '0 risultati, 1 risultato, 2 risultati, 5 risultati, 12 risultati, 22 risultati, 1000 risultati',
    games: '0 partite, 1 partita, 2 partite, 5 partite, 12 partite, 22 partite, 1000 partite',
    members: '0 membri, 1 membro, 2 membri, 5 membri, 12 membri, 22 membri, 1000 membri',
  },
  pl: {
    players: '0 graczy, 1 gracz, 2 graczy, 5 graczy, 12 graczy, 22 graczy, 1000 graczy',
    results: '0 wyników, 1 wynik, 2 wyniki, 5 wyników, 12 wyników, 22 wyniki, 1000 wyników',
    games: '0 gier, 1 gra, 2 gry, 5 gier, 12 gier, 22 gry, 1000 gier',
    members: '0 członków, 1 członek, 2 członków, 5 członków, 12 członków, 22 członków, 1000 członków',
  },
};

const written: Record<Language, { numbers: string; dates: string; places: string }> = {
  en: {
    numbers: '1,234 | 12,345.5 | −2 | +160 | 52.3%',
    dates:
      '18 May 2024 | 1 Sep 2024 | 18–20 May 2024 | 30 May – 1 June 2024 | 30 December 2024 – 1 January 2025 | May 2024 | 18 May 2024, 09:05 UTC',
    places: '1st, 2nd, 3rd, 11th, 22nd',
  },
  de: {
    numbers: '1.234 | 12.345,5 | −2 | +160 | 52,3 %',
    dates:
      '18. Mai 2024 | 1. Sept. 2024 | 18.–20. Mai 2024 | 30. Mai – 1. Juni 2024 | 30. Dezember 2024 – 1. Januar 2025 | Mai 2024 | 18. Mai 2024, 09:05 UTC',
    places: '1., 2., 3., 11., 22.',
  },
  fr: {
    numbers: '1 234 | 12 345,5 | −2 | +160 | 52,3 %',
    dates:
      '18 mai 2024 | 1er sept. 2024 | 18–20 mai 2024 | 30 mai – 1er juin 2024 | 30 décembre 2024 – 1er janvier 2025 | mai 2024 | 18 mai 2024, 09:05 UTC',
    places: '1er, 2e, 3e, 11e, 22e',
  },
  es: {
    numbers: '1234 | 12.345,5 | −2 | +160 | 52,3 %',
    dates:
      '18 de mayo de 2024 | 1 sept 2024 | 18–20 de mayo de 2024 | 30 de mayo – 1 de junio de 2024 | 30 de diciembre de 2024 – 1 de enero de 2025 | mayo de 2024 | 18 de mayo de 2024, 09:05 UTC',
    places: '1.º, 2.º, 3.º, 11.º, 22.º',
  },
  it: {
    numbers: '1234 | 12.345,5 | −2 | +160 | 52,3%',
    dates:
      '18 maggio 2024 | 1 set 2024 | 18–20 maggio 2024 | 30 maggio – 1 giugno 2024 | 30 dicembre 2024 – 1 gennaio 2025 | maggio 2024 | 18 maggio 2024, 09:05 UTC',
    places: '1º, 2º, 3º, 11º, 22º',
  },
  pl: {
    numbers: '1234 | 12 345,5 | −2 | +160 | 52,3%',
    dates:
      '18 maja 2024 | 1 wrz 2024 | 18–20 maja 2024 | 30 maja – 1 czerwca 2024 | 30 grudnia 2024 – 1 stycznia 2025 | maj 2024 | 18 maja 2024, 09:05 UTC',
    places: '1., 2., 3., 11., 22.',
  },
};

for (const language of languages) {
  const words = tables[language];
  test(`${language}: how many`, () => {
    const all = (of: (count: number) => string) => plain(counts.map(of).join(', '));
    assert.deepEqual(
      {
        players: all(words.players),
        results: all(words.rounds.resultsIn),
        games: all(words.factions.games),
        members: all(words.clubs.members),
      },
      t[language],
    );
  });

  test(`${language}: numbers, dates and places`, () => {
    const { number, signed, percent, day, days, month, moment, ordinal } = words;
    const texts = [
      day('2024-05-18').text,
      day('2024-09-01', true).text,
      days('2024-05-18', '2024-05-20')?.text,
      days('2024-05-30', '2024-06-01')?.text,
      days('2024-12-30', '2025-01-01')?.text,
      month('2024-05-18'),
      moment(new Date('2024-05-18T09:05:30Z')).text,
    ];
    assert.deepEqual(
      {
        numbers: plain(
          [number(1_234), number(12_345.5, 1), number(-2), signed(160), percent(52.3)].join(' | '),
        ),
        dates: plain(texts.join(' | ')),
        places: [1, 2, 3, 11, 22].map(ordinal).join(', '),
      },
      written[language],
    );
  });
}

test('the table of a language says which one it is', () => {
  for (const language of languages) assert.equal(tables[language].language, language);
});

test('French says "1er" also at the beginning of a range', () => {
  assert.equal(tables.fr.daysInWords('2024-06-01', '2024-06-03'), '1er – 3 juin 2024');
  assert.equal(tables.fr.daysInWords('2024-06-11', '2024-06-13'), '11–13 juin 2024');
});

test('Italian articles go with the number that follows', () => {
  const { it } = tables;
  assert.deepEqual(
    [2, 8, 11, 18, 80].map((count) => it.now.allTables(count)),
    ['i 2', 'gli 8', 'gli 11', 'i 18', 'gli 80'].map((start) => `Tutti ${start} tavoli`),
  );
  assert.deepEqual([1, 8, 11].map(it.board.lostTo), [
    'ha perso con il 1º',
    'ha perso con l’8º',
    'ha perso con l’11º',
  ]);
  assert.equal(plain(it.event.begins(it.day('2024-05-08')).text), 'Inizia l’8 maggio 2024');
  assert.equal(plain(it.event.begins(it.day('2024-05-18')).text), 'Inizia il 18 maggio 2024');
});

test('French says "d’" before a vowel', () => {
  const { fr } = tables;
  assert.equal(fr.player.description('Ana'), 'Tournois et parties d’Ana.');
  assert.equal(fr.player.description('Émile'), 'Tournois et parties d’Émile.');
  assert.equal(fr.player.description('Paul'), 'Tournois et parties de Paul.');
  assert.equal(fr.event.listOf(html`<bdi>Ana</bdi>`).text, 'd’<bdi>Ana</bdi>');
});

test('no line begins with a percent sign', () => {
  for (const language of ['de', 'es'] as const) {
    assert.match(tables[language].percent(50), /\u00A0%$/);
    assert.doesNotMatch(tables[language].factions.legend(30), /\d[ -]%/);
  }
});

test('a French line never begins with a colon', () => {
  const texts = (words: object): string[] =>
    Object.values(words).flatMap((value) =>
      typeof value === 'string' ? [value] : typeof value === 'object' ? texts(value as object) : [],
    );
  const all = texts(tables.fr);
  assert.ok(all.some((text) => text.includes('\u00A0:')));
  for (const text of all) assert.doesNotMatch(text, / [:;?!»]|\d %/);
});

test('the script has every plural form of the language', () => {
  for (const { language, script } of Object.values(tables)) {
    const rules = new Intl.PluralRules(language);
    const forms = new Set(Array.from({ length: 1_001 }, (_, count) => rules.select(count)));
    assert.deepEqual(forms.difference(new Set(Object.keys(script.newResults))), new Set(), language);
  }
});

test('a month at a beginning has a capital letter', () => {
  const titles = Object.values(tables).map(({ monthTitle }) => monthTitle('2024-05-01'));
  assert.deepEqual(titles, ['May 2024', 'Mai 2024', 'Mai 2024', 'Mayo de 2024', 'Maggio 2024', 'Maj 2024']);
});

test('a list of names is one of the language', () => {
  const listed = (language: keyof typeof tables, ...names: string[]) =>
    tables[language].listed(names.map((name) => html`<bdi>${name}</bdi>`)).text;
  assert.equal(listed('en', 'A', 'B'), '<bdi>A</bdi> and <bdi>B</bdi>');
  assert.equal(listed('de', 'A', 'B', 'C'), '<bdi>A</bdi>, <bdi>B</bdi> und <bdi>C</bdi>');
  assert.equal(listed('es', 'Ana', 'Iker'), '<bdi>Ana</bdi> e <bdi>Iker</bdi>');
  assert.equal(listed('es', 'Iker', '<Ana>'), '<bdi>Iker</bdi> y <bdi>&lt;Ana&gt;</bdi>');
});
