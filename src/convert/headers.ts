// The names of facts and columns, as organisers write them. `npm run generate` lists them in
// docs/sheet-headers.md.
import { fold } from '../text/fold.ts';
import { type Language, languages } from '../text/languages.ts';

export type EventFact = keyof typeof eventFacts;

// The six groups of names are English, German, French, Spanish, Italian and Polish.
const eventFacts = {
  slug: 'slug, short name; Kurzname; nom court; nombre corto; nome breve; nazwa skrócona',
  name: 'name, event, tournament; Name, Turnier, Turniername, Veranstaltung; nom, tournoi; nombre, torneo; nome, torneo; nazwa, turniej',
  status: 'status, state; Status, Stand; statut, état; estado; stato; status, stan',
  published:
    'published, public; veröffentlicht, öffentlich; publié, public; publicado, público; pubblicato, pubblico; opublikowany, publiczny',
  start:
    'start, start date, date, first day; Start, Beginn, Startdatum, Datum; début, date; inicio, fecha; inizio, data; początek, data rozpoczęcia, data',
  end: 'end, end date, last day; Ende, Enddatum; fin; fin, final, fecha final; fine; koniec, data zakończenia',
  city: 'city, town; Stadt, Ort; ville, lieu; ciudad, lugar; città, luogo; miasto',
  country: 'country; Land; pays; país; paese, nazione; kraj',
  size: 'size, battle size, points; Größe, Spielgröße, Punkte; taille, points; tamaño, puntos; dimensione, punti; rozmiar, punkty',
  pack: 'pack, battle pack, battlepack; Missionspaket, Paket; pack de bataille, pack; paquete; pacchetto; pakiet',
  rounds: 'rounds, swiss rounds; Runden; rondes, tours, manches; rondas; turni; rundy, liczba rund',
  top: 'top, top cut, cut; Finalteilnehmer, Top; qualifiés, top; clasificados, top; qualificati, top; finaliści, top',
  scoring: 'scoring, battle points; Wertung, Punktewertung; barème; puntuación; punteggio; punktacja',
  'tie-breaks': 'tie-breaks, tiebreaks; Feinwertung; départages; desempates; spareggi; kryteria',
  organiser:
    'organiser, organizer, club, host; Veranstalter, Ausrichter, Verein; organisateur, club; organizador, club; organizzatore, club; organizator, klub',
};

const playersColumns = {
  no: 'no, nr, number, player no, start no, #; Nr., Nummer, Startnummer, Startnr, Spielernummer; numéro, n°, num, dossard; número, n, dorsal; numero, pettorale; numer, nr, lp, l.p.',
  name: 'name, player, player name, full name; Name, Spieler, Spielername, Teilnehmer; nom, joueur; nombre, jugador; nome, giocatore; gracz, zawodnik, imię i nazwisko',
  'first name': 'first name, firstname, given name; Vorname; prénom; nombre de pila; nome proprio; imię',
  'last name':
    'last name, lastname, surname, family name; Nachname, Familienname; nom de famille; apellido, apellidos; cognome; nazwisko',
  'player id':
    'player id, playerid; Spieler-ID; id joueur, identifiant; id jugador, id de jugador; id giocatore; id gracza',
  club: 'club, team; Verein, Klub, Team; club, association, équipe; club, equipo, asociación; club, associazione, squadra; klub, drużyna',
  group: 'group, pool; Gruppe; groupe, poule; grupo; gruppo, girone; grupa',
  faction:
    'faction, army; Fraktion, Armee, Volk; faction, armée; facción, ejército; fazione, esercito; frakcja, armia',
  subfaction:
    'subfaction, sub-faction, formation; Unterfraktion, Subfraktion, Formation; sous-faction, formation; subfacción; sottofazione; podfrakcja, formacja',
  points:
    'points, list points; Punkte, Listenpunkte; points, points de liste; puntos; punti; punkty, punkty listy',
  list: "list, army list; Liste, Armeeliste; liste, liste d'armée; lista, lista de ejército; lista, lista dell'esercito; lista, lista armii, rozpiska",
  dropped:
    'dropped, drop; ausgestiegen, ausgeschieden, abgereist; abandon; abandono, retirado; ritirato, ritiro; wycofany, zrezygnował',
  place:
    'place, placement, rank, final place; Platz, Platzierung, Rang; place, classement; puesto, posición; posto, posizione; miejsce',
};

const gamesColumns = {
  round: 'round; Runde; ronde, tour, manche; ronda; turno; runda',
  'player 1':
    'player 1, player a, player; Spieler 1, Spieler A, Spieler; joueur 1, joueur; jugador 1, jugador; giocatore 1, giocatore; gracz 1, zawodnik 1, gracz, zawodnik',
  'player 2':
    'player 2, player b, opponent; Spieler 2, Spieler B, Gegner; joueur 2, adversaire; jugador 2, rival; giocatore 2, avversario; gracz 2, zawodnik 2, przeciwnik',
  stage: 'stage, phase; Etappe, Phase; étape, phase; fase; fase; etap, faza',
  table: 'table; Tisch; table; mesa; tavolo; stół, stolik',
  result: 'result, outcome; Ergebnis, Resultat; résultat; resultado; risultato; wynik',
  winner: 'winner; Sieger, Gewinner; vainqueur, gagnant; ganador; vincitore; zwycięzca',
  'vp 1':
    'VP 1, VP A, victory points 1; SP 1, Siegpunkte 1; PV 1, points de victoire 1; PV 1, puntos de victoria 1; PV 1, punti vittoria 1; PZ 1, punkty zwycięstwa 1, małe punkty 1',
  'vp 2':
    'VP 2, VP B, victory points 2; SP 2, Siegpunkte 2; PV 2, points de victoire 2; PV 2, puntos de victoria 2; PV 2, punti vittoria 2; PZ 2, punkty zwycięstwa 2, małe punkty 2',
  'bp 1':
    'BP 1, BP A, battle points 1; TP 1, Turnierpunkte 1; PB 1, points de bataille 1; PB 1, puntos de batalla 1; PB 1, punti battaglia 1; punkty bitewne 1, duże punkty 1',
  'bp 2':
    'BP 2, BP B, battle points 2; TP 2, Turnierpunkte 2; PB 2, points de bataille 2; PB 2, puntos de batalla 2; PB 2, punti battaglia 2; punkty bitewne 2, duże punkty 2',
  scenario:
    'scenario, mission; Szenario, Mission; scénario, mission; escenario, misión; scenario, missione; scenariusz, misja',
  date: 'date, day; Datum, Tag; date, jour; fecha, día; data, giorno; data, dzień',
};

/**
 * Normalises a header or a word for comparison, removing case, accents and punctuation: "Player1" and
 * "player_1" both become "player 1".
 */
export function headerKey(text: string): string {
  const spaced = fold(text)
    .replaceAll(/[^\p{L}\p{N}#]+/gu, ' ')
    .replaceAll(/(\p{L})(\d)/gu, '$1 $2');
  return spaced.trim();
}

/** Maps each normalised word to the value that it stands for. */
export function byWord<Value extends string>(table: Record<Value, string>): ReadonlyMap<string, Value> {
  const entries = Object.entries<string>(table) as [Value, string][];
  return new Map(entries.flatMap(([value, words]) => words.split(/[,;] ?/).map((word) => [word, value])));
}

/** The names in each language, by sheet and by fact or column. */
export const headerNames = {
  event: byLanguage(eventFacts),
  players: byLanguage(playersColumns),
  games: byLanguage(gamesColumns),
};

function byLanguage<Column extends string>(table: Record<Column, string>) {
  return (Object.entries<string>(table) as [Column, string][]).map(([column, names]) => {
    const groups = names.split('; ').map((group) => group.split(', '));
    return { column, names: languages.map((language, at) => ({ language, names: groups[at] ?? [] })) };
  });
}

/** Returns the languages in which a fact or a column has this name. */
export function languagesOfName(sheet: keyof typeof headerNames, column: string, name: string): Language[] {
  const key = headerKey(name);
  const found = headerNames[sheet].find((each) => each.column === column)?.names ?? [];
  return found
    .filter(({ names }) => names.some((each) => headerKey(each) === key))
    .map((each) => each.language);
}

type HeaderNames<Column> = { column: Column; names: { language: Language; names: string[] }[] }[];

const columnsByKey = <Column extends string>(table: HeaderNames<Column>): ReadonlyMap<string, Column> =>
  new Map(
    table.flatMap(({ column, names }) =>
      names.flatMap((each) => each.names.map((name): [string, Column] => [headerKey(name), column])),
    ),
  );

export const headers = {
  event: columnsByKey(headerNames.event),
  players: columnsByKey(headerNames.players),
  games: columnsByKey(headerNames.games),
};

/**
 * Returns the languages that the words of a result's header belong to. An unknown word belongs to all of
 * them. "Résultat" differs from the German word by its accent.
 */
export function languagesOf(header: string): Set<Language> {
  const ofWords = header
    .split(/[^\p{L}\p{M}]+/u)
    .flatMap((word) => languagesByWord.get(accented(word)) ?? languagesByWord.get(headerKey(word)) ?? []);
  return new Set(languages.filter((language) => ofWords.every((each) => each.has(language))));
}

const accented = (word: string): string => word.normalize('NFC').toLowerCase();

const languagesByWord = new Map<string, Set<Language>>();
for (const { column, names } of headerNames.games) {
  if (!['result', 'player 1', 'player 2'].includes(column)) continue;
  for (const each of names) {
    const written = each.names.flatMap((name) => name.split(' '));
    for (const word of [...written.map(accented), ...written.map(headerKey)]) {
      // The A of "player a" belongs to no language.
      if (word.length === 1) continue;
      languagesByWord.set(word, (languagesByWord.get(word) ?? new Set()).add(each.language));
    }
  }
}

export const factNames = Object.keys(eventFacts) as EventFact[];
