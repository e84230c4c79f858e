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
  circuit(['polish', 'czech', 'ukrainian'], {
    Poland: 'Łąkowice=lakowice, Żabieniec Górny=zabieniec-gorny, Stare Młyny=stare-mlyny',
    Czechia: 'Třešňov=tresnov, Dlouhá Lhůtka=dlouha-lhutka',
    Ukraine: 'Вербопіль=verbopil, Калинівці=kalynivtsi',
  }),
  circuit(['american', 'english', 'spanish'], {
    'United States': 'Cedar Hollow, Fort Merriam, Port Calloway, Whitlock Springs, San Belmonte',
    Canada: 'Sainte-Aurore, Lake Harrow',
  }),
  circuit(['french', 'arabic'], {
    France: 'Saint-Aurèle=saint-aurele, Châteauvert=chateauvert, Rochebrune-les-Bains',
    Belgium: 'Haute-Fagnole, Zandbergen',
    Tunisia: 'Ras el Nour',
  }),
  circuit(['danish', 'swedish', 'finnish'], {
    Norway: 'Bjørnøyvik=bjornoyvik, Ærfjord=aerfjord',
    Sweden: 'Ångstad=angstad, Öhamn=ohamn',
    Finland: 'Järvenkylä=jarvenkyla',
    Denmark: 'Rødbæk=rodbaek',
  }),
  circuit(['spanish', 'portuguese'], {
    Spain: 'Valdesombra, Peñarrubia=penarrubia, Ibañeta=ibaneta',
    Portugal: 'São Romão da Serra=sao-romao, Vila Queirós=vila-queiros',
  }),
  circuit(['italian', 'greek', 'georgian'], {
    Italy: 'Roccafiorita, Sant’Elmo=sant-elmo, Vallombra',
    Greece: 'Γλυκονέρι=glykoneri, Πετροχώρι=petrochori',
    Georgia: 'წყალთაშუა=tsqaltashua',
  }),
  circuit(['japanese', 'korean', 'chinese'], {
    Japan: '星川市=hoshikawa, 月見坂=tsukimizaka',
    'South Korea': '달빛동=dalbit',
    Taiwan: '青石鎮=qingshi',
  }),
  circuit(['american', 'english', 'vietnamese', 'chinese'], {
    Australia: 'Wattle Ridge, Port Ellery, Kangaloola',
    'New Zealand': 'Te Awakura, Ferncliff',
  }),
  circuit(['portuguese', 'spanish'], {
    Brazil: 'Serra Dourada, Ribeirão Azul=ribeirao-azul, Porto das Garças=porto-das-garcas',
    Argentina: 'Villa Ombú=villa-ombu',
    Mexico: 'San Tadeo, Tierra Ñandú=tierra-nandu',
  }),
  circuit(['hungarian', 'turkish', 'hebrew', 'hindi', 'thai'], {
    Hungary: 'Kőszegfalva=koszegfalva',
    Türkiye: 'Gümüşdere=gumusdere',
    Israel: 'גבעת השחר=givat-hashahar',
    India: 'चंदनपुर=chandanpur',
    Thailand: 'บ้านดอกไม้=ban-dokmai',
  }),
];

const clubKinds = (
  'Dice Guild, Wargaming Society, Tabletop League, Gaming Club, Irregulars, Brush and Banner, Company of Dice, ' +
  'Measuring Tapes, Sunday Generals, Painted Legion, Natural Sixes, Wound Markers'
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
