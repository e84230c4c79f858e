// The names of facts and columns: English first, then German, French, Spanish, Italian and Polish.
import { fold } from '../text/fold.ts';

export type EventFact = keyof typeof eventFacts;

const eventFacts = {
  slug: 'slug, short name; kurzname; nom court; nombre corto; nome breve; nazwa skrocona',
  name: 'name, event, tournament; turnier, turniername, veranstaltung; nom, tournoi; nombre, torneo; nome; nazwa, turniej',
  status: 'status, state; stand; statut, etat; estado; stato; stan',
  published:
    'published, public; veroffentlicht, offentlich; publie; publicado, publico; pubblicato, pubblico; opublikowany, publiczny',
  start:
    'start, start date, date, first day; beginn, startdatum, datum; debut; inicio, fecha; inizio, data; poczatek, data rozpoczecia',
  end: 'end, end date, last day; ende, enddatum; fin; final, fecha final; fine; koniec, data zakonczenia',
  city: 'city, town; stadt, ort; ville, lieu; ciudad, lugar; citta, luogo; miasto',
  country: 'country; land; pays; pais; paese, nazione; kraj',
  size: 'size, battle size, points; punkte, grosse, spielgrosse; taille; puntos, tamano; punti, dimensione; punkty, rozmiar',
  pack: 'pack, battle pack, battlepack; missionspaket, paket; pack de bataille; paquete; pacchetto; pakiet',
  rounds: 'rounds, swiss rounds; runden; rondes, tours, manches; rondas; turni; rundy, liczba rund',
  top: 'top, top cut, cut; finalteilnehmer; qualifies; clasificados; qualificati; finalisci',
  scoring: 'scoring, battle points; wertung, punktewertung; bareme; puntuacion; punteggio; punktacja',
  'tie-breaks': 'tie breaks, tiebreaks; feinwertung; departages; desempates; spareggi; kryteria',
  organiser:
    'organiser, organizer, club, host; veranstalter, ausrichter, verein; organisateur; organizador; organizzatore; organizator, klub',
};

const playersColumns = {
  no: 'no, nr, number, player no, start no, #; nummer, startnummer, startnr, spielernummer; numero, n, num, dossard; dorsal; pettorale; numer, lp, l p',
  name: 'name, player, player name, full name; spieler, spielername, teilnehmer; nom, joueur; nombre, jugador; nome, giocatore; gracz, zawodnik, imie i nazwisko',
  'first name': 'first name, firstname, given name; vorname; prenom; nombre de pila; nome proprio; imie',
  'last name':
    'last name, lastname, surname, family name; nachname, familienname; nom de famille; apellido, apellidos; cognome; nazwisko',
  'player id':
    'player id, playerid; spieler id; id joueur, identifiant; id jugador, id de jugador; id giocatore; id gracza',
  club: 'club, team; verein, klub; association, equipe; equipo, asociacion; associazione, squadra; klub, druzyna',
  group: 'group, pool; gruppe; groupe, poule; grupo; gruppo, girone; grupa',
  faction:
    'faction, army; fraktion, armee, volk; armee; faccion, ejercito; fazione, esercito; frakcja, armia',
  subfaction:
    'subfaction, sub faction, formation; unterfraktion, subfraktion; sous faction; subfaccion; sottofazione; podfrakcja, formacja',
  points: 'points, list points; punkte, listenpunkte; points de liste; puntos; punti; punkty, punkty listy',
  list: 'list, army list; liste, armeeliste; liste d armee; lista, lista de ejercito; lista dell esercito; lista armii, rozpiska',
  dropped:
    'dropped, drop; ausgestiegen, ausgeschieden, abgereist; abandon; abandono, retirado; ritirato, ritiro; wycofany, zrezygnowal',
  place:
    'place, placement, rank, final place; platz, platzierung, rang; classement; puesto, posicion; posto, posizione; miejsce',
};

const gamesColumns = {
  round: 'round; runde; ronde, tour, manche; ronda; turno; runda',
  'player 1':
    'player 1, player a, player; spieler 1, spieler a, spieler; joueur 1, joueur; jugador 1, jugador; giocatore 1, giocatore; gracz 1, zawodnik 1, gracz, zawodnik',
  'player 2':
    'player 2, player b, opponent; spieler 2, spieler b, gegner; joueur 2, adversaire; jugador 2, rival; giocatore 2, avversario; gracz 2, zawodnik 2, przeciwnik',
  stage: 'stage, phase; etappe; etape; fase; etap, faza',
  table: 'table; tisch; mesa; tavolo; stol, stolik',
  result: 'result; ergebnis, resultat; resultado; risultato; wynik',
  winner: 'winner; sieger, gewinner; vainqueur, gagnant; ganador; vincitore; zwyciezca',
  'vp 1':
    'vp 1, vp a, victory points 1; sp 1, siegpunkte 1; pv 1, points de victoire 1; puntos de victoria 1; punti vittoria 1; punkty zwyciestwa 1, pz 1, male punkty 1',
  'vp 2':
    'vp 2, vp b, victory points 2; sp 2, siegpunkte 2; pv 2, points de victoire 2; puntos de victoria 2; punti vittoria 2; punkty zwyciestwa 2, pz 2, male punkty 2',
  'bp 1':
    'bp 1, bp a, battle points 1; tp 1, turnierpunkte 1; pb 1, points de bataille 1; puntos de batalla 1; punti battaglia 1; punkty bitewne 1, duze punkty 1',
  'bp 2':
    'bp 2, bp b, battle points 2; tp 2, turnierpunkte 2; pb 2, points de bataille 2; puntos de batalla 2; punti battaglia 2; punkty bitewne 2, duze punkty 2',
  scenario: 'scenario, mission; szenario; escenario, mision; missione; scenariusz, misja',
  date: 'date, day; datum, tag; jour; fecha, dia; data, giorno; data, dzien',
};

/** A header or a word for comparison: without case, accents and punctuation. "Player1", "player_1" are "player 1". */
export function keyOf(text: string): string {
  const spaced = fold(text)
    .replaceAll(/[^\p{L}\p{N}#]+/gu, ' ')
    .replaceAll(/(\p{L})(\d)/gu, '$1 $2');
  return spaced.trim();
}

/** By key, the value that the words stand for. */
export function byWord<Value extends string>(table: Record<Value, string>): ReadonlyMap<string, Value> {
  const entries = Object.entries<string>(table) as [Value, string][];
  return new Map(entries.flatMap(([value, words]) => words.split(/[,;] ?/).map((word) => [word, value])));
}

export const headers = {
  event: byWord(eventFacts),
  players: byWord(playersColumns),
  games: byWord(gamesColumns),
};
export const factNames = Object.keys(eventFacts) as EventFact[];
