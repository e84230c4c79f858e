// Names of people, from several languages and scripts. All people are invented: given and family names are
// combined at random.
import type { Random } from '../chance/random.ts';

interface Language {
  readonly given: readonly string[];
  readonly family: readonly string[];
  readonly familyFirst: boolean;
}

const words = (text: string): string[] => text.split(' ');

/**
 * Combines every beginning with every ending, so that a few words give the hundreds of names that a language
 * needs.
 */
const made = (beginnings: string, ends: string, between = ''): string[] =>
  words(beginnings).flatMap((beginning) => words(ends).map((end) => `${beginning}${between}${end}`));

const language = (given: string, family: string[], familyFirst = false): Language => ({
  given: words(given),
  family,
  familyFirst,
});

const languages = {
  english: language(
    'Alfie Amelia Callum Charlotte Daisy Edmund Freya George Harriet Isla Jack Kieran Lewis Maisie Niall Oliver Poppy Rhys Siobhán Theo Una Winifred',
    made(
      'Ash Barrow Cold Dun East Fair Gar Hollow Ingle Lang Mar North Pember Ravens Stone Thistle Under Wether O’Hal',
      'by cote croft down ford hurst ley low more shaw ton well wick wood worth',
    ),
  ),
  german: language(
    'Anneliese Björn Cäcilie Dörte Emil Friederike Günter Hannah Ilse Jürgen Käthe Lukas Matthias Nele Otto Petra Rüdiger Sören Thekla Ulf Werner',
    made(
      'Birken Dünn Ebers Falken Groß Hülsen Jäger Köhler Lüne Möllen Nuß Oster Preußen Roß Schäfer Tannen Über Weißen',
      'bach baum berg born bühl feld hof kamp loh mann rath reuter stein wald',
    ),
  ),
  french: language(
    'Aurélie Benoît Cécile Damien Éloïse François Gaëlle Hélène Jérôme Loïc Maëlys Noémie Océane Pascal Régis Solène Théo Valérie Yannick Zoé',
    made(
      'Aubr Beaur Chên Delaun D’Haut Estèv Foug Garr Hér L’Éc Maç Péronn Rocheb Sénéch Tour Valad',
      'ac ais ard aud elle ert eau eray igue ois onneau oux ulier',
    ),
  ),
  polish: language(
    'Agnieszka Bożena Czesław Dorota Elżbieta Franciszek Grażyna Henryk Jędrzej Kacper Łucja Łukasz Małgorzata Paweł Rafał Stanisław Świętosława Wojciech Zbigniew Żaneta',
    made(
      'Bąk Ćwikl Dąbrow Gęsior Jaśk Kłos Łab Miłk Niedźw Ośmiał Pawł Róż Śliw Trzc Wąs Źródl Żuraw',
      'ak arz czyk ecki eń ewicz icki icz iński oń osz owicz',
    ),
  ),
  spanish: language(
    'Álvaro Begoña Cristóbal Dolores Encarnación Fermín Gonzalo Íñigo Jesús Lucía María Núria Óscar Pilar Rocío Sebastián Tomás Úrsula Verónica Ximena',
    made(
      'Arroyo Bermúdez Castañeda Echevarría Fuente Garmendía Ibáñez Luengo Montero Núñez Ordóñez Peñalver Quiñones Robledo Soto Torre Urrutia Villafañe Zúñiga',
      'Aguirre Barrio Cuenca Duarte Escudero Fuertes Gálvez Hierro Lozano Maqueda Nieto Olmedo Pizarro Ríos Sáez',
      ' ',
    ),
  ),
  italian: language(
    'Alessandro Beatrice Calogero Desirée Ettore Fiammetta Giosuè Ilaria Lorenzo Mattia Niccolò Ottavia Pierpaolo Rosalia Salvatore Teodora Ugo Viola',
    made(
      'Acqua Bella Campo Casa D’Ala Fonta Mala Monte Pietra Quattr’ Rocca Santa Torre Valle Villa',
      'bruna cosa forte fredda gatta lunga nera nova rosa santa secca spina verde viva zappalà',
    ),
  ),
  danish: language(
    'Åse Bjarne Dagny Esbjørn Frøya Grethe Håkon Ingrid Jørgen Kjersti Lærke Magnus Njål Oddvar Pål Ragnhild Sæmund Tórunn Øyvind',
    made(
      'Aaby Bække Dals Elling Fjære Gjer Høj Krøg Løven Mørke Nygårds Øster Rømer Skjøn Tvær Ødegårds',
      'berg dal gaard gård haug holt lie lund løv skov stad sæter vik',
    ),
  ),
  ukrainian: language(
    'Андрій Богдана Василь Ганна Дмитро Євген Жанна Зоряна Іван Іларіон Катерина Лесь Марія Назар Олена Петро Соломія Тарас Юлія Ярослав',
    made(
      'Берез Вишн Гайдам Дуб Журав Забол Калин Левад Мороз Осад Перебий Річк Степ Чорн Шипш Явор',
      'ак енко ець ик івський ич овий ський ук чук юк',
    ),
  ),
  japanese: language(
    '葵 陽翔 結衣 蓮 さくら 大翔 美咲 悠真 千尋 健太 直子 拓海 芽依 隼人 由紀 遥',
    made('青 石 上 大 霧 桜 白 滝 月 長 星 松 水 雪 若', '井 川 沢 島 瀬 田 谷 野 橋 原 村 本 森 山'),
    true,
  ),
  arabic: language(
    'أحمد أمينة بلال جميلة حسن خديجة رانيا زيد سلمى طارق عائشة عمر فاطمة كريم ليلى مريم نور يوسف',
    words(
      'البستاني البغدادي التميمي الجبلي الجزائري الحداد الحلبي الخياط الدمشقي الراوي الزهراني السعيدي السمان الشمالي الصالحي الصباغ الطرابلسي العطار الفاسي القاسمي القيرواني المغربي النابلسي النجار الوراق اليماني',
    ),
  ),
} satisfies Record<string, Language>;

export type LanguageName = keyof typeof languages;
const everyLanguage = Object.keys(languages) as LanguageName[];

/** Returns a name from the home languages. One person in five has a name from any language. */
export function personName(random: Random, home: readonly LanguageName[]): string {
  const name = random.chance(0.2) ? random.pick(everyLanguage) : random.pick(home);
  const { given, family, familyFirst } = languages[name];
  const first = random.pick(given);
  const last = familyName(random, family);
  return familyFirst ? `${last} ${first}` : `${first} ${last}`;
}

const endOfLatin = 0x250;

// One in twelve has two family names with a hyphen, but only in Latin letters.
function familyName(random: Random, family: readonly string[]): string {
  const name = random.pick(family);
  const second = random.chance(0.08) ? random.pick(family) : name;
  const single = second === name || name.includes(' ') || name.charCodeAt(0) >= endOfLatin;
  return single ? name : `${name}-${second}`;
}
