// Interprets the names of rounds and stages: which stage of the feed they mean, and which round of it.
import path from 'node:path';
import { byWord, headerKey } from './headers.ts';

export interface RoundName {
  /** A stage id of the feed. */
  stage: string;
  /** Either a number from 1, or the number of players whom the bracket still has, which is 2 in the final. */
  round: { number: number } | { field: number };
  /** The number of the match in its round, 2 for "Semi-final 2". Zero if the name has none. */
  index: number;
}

/** Returns undefined if the words are not known. `stage` may be empty. */
export function roundInWords(stage: string, round: string): RoundName | undefined {
  const key = headerKey(round);
  const number = numbered.exec(key)?.slice(1).find(Boolean);
  const own = stage === '' ? undefined : stageOf(headerKey(stage));
  if (stage !== '' && own === undefined) return undefined;
  if (number !== undefined) return { stage: own ?? 'swiss', round: { number: Number(number) }, index: 0 };
  const placement = placementOf(key);
  if (placement !== undefined) return { stage: placement, round: { number: 1 }, index: 0 };
  const [, name = key, index = '0'] = /^(.*\p{L}) ([1-9]\d?)$/u.exec(key) ?? [];
  const field = fieldOf(key) ?? fieldOf(name);
  if (field === undefined || own === 'swiss' || own === 'placement-swiss') return undefined;
  return {
    stage: own ?? 'knockout',
    round: { field },
    index: fieldOf(key) === undefined ? Number(index) : 0,
  };
}

const roundWords = 'round|runde|ronde|ronda|turno|tour|manche|runda';
const ordinals = 'st|nd|rd|th|a|o|e|er|ere|re|eme|ieme';
const numbered = new RegExp(
  `^(?:(?:${roundWords}|r) )?0*([1-9]\\d{0,3})$|^0*([1-9]\\d{0,3}) ?(?:${ordinals})? (?:${roundWords})$`,
);

const stages = byWord({
  swiss:
    'swiss, swiss stage, swiss rounds, groups, group stage; schweizer system, vorrunde, gruppenphase; suisse, poules; suizo, fase de grupos; svizzera, fase a gironi; system szwajcarski, faza grupowa',
  knockout:
    'knockout, knock out, ko, k o, playoff, playoffs, top cut, bracket; ko runde, finalrunde, endrunde; phase finale; fase final, eliminatoria; fase finale, eliminazione diretta; faza pucharowa',
  'placement-swiss':
    'placement swiss; platzierungsrunde; classement; clasificacion; piazzamento; mecze o miejsca',
});

/**
 * Returns the round in a file name like "round_1.csv" or "Runde 3.csv". Returns undefined if there is none,
 * or more than one.
 */
export function roundOfFile(name: string): string | undefined {
  const key = headerKey(path.basename(name, path.extname(name)));
  if ((roundInWords('', key)?.stage ?? 'swiss') !== 'swiss') return key;
  const [round, ...others] = key.match(inFileName) ?? [];
  return others.length === 0 && !knockout.test(key) ? round : undefined;
}

/** "KO round 1" is not a Swiss round. */
const knockout = new RegExp(
  `\\b(?:${[...stages].flatMap(([words, stage]) => (stage === 'knockout' ? [words] : [])).join('|')})\\b`,
);

// "Tour 2026" is the name of an event.
const inFileName = new RegExp(
  `\\b(?:${roundWords}|r) 0*[1-9]\\d?\\b|\\b0*[1-9]\\d? ?(?:${ordinals})? (?:${roundWords})\\b`,
  'g',
);

function stageOf(key: string): string | undefined {
  return stages.get(key) ?? placementOf(key);
}

const thirds = byWord({
  3: 'third place, small final, bronze, bronze final; kleines finale; petite finale; tercer puesto, tercer lugar; terzo posto, finalina; trzecie miejsce, maly final',
});
const placeWords = 'placement|places?|platze?|platz|positions?|puestos?|lugar|posto|posti|miejsc[ea]';
const places = new RegExp(
  `\\b(?:${placeWords}) (\\d{1,4})(?: (?:to |bis |a |do )?(\\d{1,4}))?$|^(?:.* )?(\\d{1,4}) ?(?:${ordinals})? (?:${placeWords})$`,
);

function placementOf(key: string): string | undefined {
  const plain = key.replace(/ (?:match|game|play off|playoff|spiel)$/, '');
  if (thirds.has(plain)) return 'placement-3';
  const [, first, last, only] = places.exec(plain) ?? [];
  const from = Number(first ?? only ?? 0);
  if (from < 3 || (last !== undefined && Number(last) <= from)) return undefined;
  return last === undefined ? `placement-${from}` : `placement-${from}-${Number(last)}`;
}

function fieldOf(key: string): number | undefined {
  const named = fields.get(key);
  if (named !== undefined) return Number(named);
  const [, part] = /^1 (2|4|8|16) (?:de )?final[esu]?s?$/.exec(key) ?? [];
  const [, field = Number(part) * 2] =
    /^(?:round of|last|best|top|letzten?|derniers|ultimos|ultimi) (\d{1,4})$/.exec(key) ?? [];
  const size = Number(field);
  return size >= 2 && Number.isInteger(Math.log2(size)) && size <= 1024 ? size : undefined;
}

const fields = byWord({
  2: 'final, finals, grand final; finale, endspiel; gran final; finalissima',
  4: 'semi final, semi finals, semifinal, semifinals, semis; halbfinale; demi finale, demi finales; semifinales; semifinale, semifinali; polfinal, polfinaly',
  8: 'quarter final, quarter finals, quarterfinal, quarterfinals; viertelfinale; quart de finale, quarts de finale; cuartos, cuartos de final; quarti, quarti di finale; cwiercfinal, cwiercfinaly',
  16: 'achtelfinale; huitieme de finale, huitiemes de finale; octavos, octavos de final; ottavi, ottavi di finale',
  32: 'sechzehntelfinale; seizieme de finale, seiziemes de finale; dieciseisavos, dieciseisavos de final; sedicesimi, sedicesimi di finale',
});
