// Circuits of neighbouring countries with invented towns, and the names of clubs and events.
import type { LanguageName } from './people.ts';
import type { Random } from '../chance/random.ts';

export interface Town {
  readonly name: string;
  /** The spelling for slugs. */
  readonly ascii: string;
  readonly country: string;
}

export interface Circuit {
  readonly languages: readonly LanguageName[];
  readonly towns: readonly Town[];
}

const circuit = (languages: readonly LanguageName[], countries: Record<string, string>): Circuit => ({
  languages,
  towns: Object.entries(countries).flatMap(([country, towns]) =>
    towns.split(', ').map((town) => {
      const [name = town, ascii = slugOf(town)] = town.split('=');
      return { name, ascii, country };
    }),
  ),
});

export const circuits: readonly Circuit[] = [
  circuit(['english'], {
    'United Kingdom': 'Brackenford, Netherwick, Saltmarsh-on-Sea, Harrowgate Cross, Llanfairmoor',
    Ireland: 'Ballymorran, Dún Sionnach=dun-sionnach, Kilbracken',
  }),
  circuit(['german'], {
    Germany: 'Steinbrück=steinbrueck, Großweiler=grossweiler, Lindenhafen, Nebelstadt',
    Austria: 'Sankt Alban, Grünau am See=gruenau',
    Switzerland: 'Hochfelden, Valmontagne',
  }),
  circuit(['polish', 'ukrainian'], {
    Poland: 'Łąkowice=lakowice, Żabieniec Górny=zabieniec-gorny, Stare Młyny=stare-mlyny',
    Ukraine: 'Вербопіль=verbopil, Калинівці=kalynivtsi',
  }),
  circuit(['english', 'spanish'], {
    'United States': 'Cedar Hollow, Fort Merriam, Port Calloway, Whitlock Springs, San Belmonte',
    Canada: 'Sainte-Aurore, Lake Harrow',
  }),
  circuit(['french', 'arabic'], {
    France: 'Saint-Aurèle=saint-aurele, Châteauvert=chateauvert, Rochebrune-les-Bains',
    Belgium: 'Haute-Fagnole, Zandbergen',
    Tunisia: 'Ras el Nour',
  }),
  circuit(['danish'], {
    Norway: 'Bjørnøyvik=bjornoyvik, Ærfjord=aerfjord',
    Denmark: 'Rødbæk=rodbaek',
  }),
  circuit(['spanish', 'italian'], {
    Spain: 'Valdesombra, Peñarrubia=penarrubia, Ibañeta=ibaneta',
    Italy: 'Roccafiorita, Sant’Elmo=sant-elmo, Vallombra',
  }),
  circuit(['japanese'], {
    Japan: '星川市=hoshikawa, 月見坂=tsukimizaka',
  }),
];

const clubKinds = (
  'Dice Guild, Wargaming Society, Tabletop League, Gaming Club, Irregulars, Brush and Banner, Company of Dice, ' +
  'Measuring Tapes, Sunday Generals, Natural Sixes, Wound Markers'
).split(', ');
const eventAdjectives =
  'Autumn, Winter, Spring, Summer, Grand, Iron, Golden, Broken, Midnight, Border, Harvest, Silver'.split(
    ', ',
  );
const eventNouns =
  'Muster, Open, Grand Tournament, Clash, Trophy, Parley, Masters, Brawl, Campaign Day, Invitational'.split(
    ', ',
  );

export interface Named {
  readonly name: string;
  /** Lower-case letters, digits and hyphens. The caller makes the slug unique. */
  readonly slug: string;
}

export function clubName(random: Random, town: Town): Named {
  const kind = random.pick(clubKinds);
  return { name: `${town.name} ${kind}`, slug: `${town.ascii}-${slugOf(kind)}` };
}

export function eventName(random: Random, town: Town, year: number): Named {
  const rest = `${random.pick(eventAdjectives)} ${random.pick(eventNouns)} ${year}`;
  return { name: `${town.name} ${rest}`, slug: `${town.ascii}-${slugOf(rest)}` };
}

function slugOf(ascii: string): string {
  return ascii
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
