// Names of people, from many languages and scripts. All people are invented: given and family names are
// combined at random.
import type { Random } from '../chance/random.ts';

interface Language {
  readonly given: readonly string[];
  readonly family: readonly string[];
  /** The text between the two names. `familyFirst` says which of them comes first. */
  readonly join: string;
  readonly familyFirst: boolean;
}

const words = (text: string): string[] => text.split(' ');

/**
 * Combines every beginning with every ending, so that a few words give the hundreds of names that a language
 * needs.
 */
const made = (beginnings: string, ends: string, between = ''): string[] =>
  words(beginnings).flatMap((beginning) => words(ends).map((end) => `${beginning}${between}${end}`));

const language = (given: string | string[], family: string[], join = ' ', familyFirst = false): Language => ({
  given: typeof given === 'string' ? words(given) : given,
  family,
  join,
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
  american: language(
    'Aaliyah Brandon Caleb Destiny Ethan Faith Grayson Hunter Isaiah Jasmine Kayla Logan Madison Noah Peyton Ryder Savannah Tyler Wyatt Zoe',
    made(
      'Aber Bright Callo Easter Frost Grang Hatha Iron Kin Lock Mc Merri Oak Red Silver Whit',
      'bane crest field gill hart lock man more ridge son ton water well way',
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
  portuguese: language(
    'Adão Beatriz Caetano Débora Estêvão Flávia Gonçalo Inês João Letícia Márcio Natália Otávio Patrícia Rúben Simão Thaís Vítor',
    made(
      'Abrantes Brandão Conceição D’Ávila Falcão Guimarães Leitão Magalhães Nóbrega Queirós Relvas Salvação Trindade Vasconcelos',
      'Araújo Bragança Coutinho Estrela Figueira Lobato Mourão Pacheco Rebelo Serrão Teles',
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
  swedish: language(
    'Åke Britta Elin Folke Göran Hjördis Kerstin Lovisa Mårten Nils Örjan Pär Rune Sixten Tyra Viktor',
    made(
      'Ahl Björk Ek Fjäll Grön Hägg Kvarn Löv Märt Ny Öhrn Råd Sjö Tång Wäster',
      'backa berg blad by dahl gren holm lund mark qvist stedt ström vall åker',
    ),
  ),
  finnish: language(
    'Aino Eino Hilkka Jukka Kyösti Lempi Mauri Oiva Päivi Raimo Säde Tuukka Väinö Yrjö',
    made(
      'Haapa Jänkä Koivu Lehti Mänty Niini Pitkä Räsä Saare Tähkä Vuoren Yli',
      'järvi kangas koski la lainen maa mäki niemi nen pää ranta salo talo',
    ),
  ),
  czech: language(
    'Anežka Bořivoj Ctirad Dušan Eliška František Jiří Kateřina Ľubomír Matěj Ondřej Přemysl Růžena Šárka Tomáš Vojtěch Žofie',
    made(
      'Čerm Dvoř Háj Jeřáb Kratoch Lázn Mlýn Nov Ohn Říč Šíp Třeš Vavř Zahrád Žďár',
      'áček ák ánek ek enský ička íček ík ín ka ňák ský',
    ),
  ),
  hungarian: language(
    'Ágnes Balázs Csilla Dezső Erzsébet Ferenc György Ildikó János Kálmán László Márta Nándor Ödön Piroska Sándor Tünde Zsuzsanna',
    made(
      'Almás Bükk Csizma Erdő Fűz Gyarmat Hajnó Körmen Lőrin Nagy Őz Pásztó Szűcs Tő Új Vörös',
      'di fai falvi falusi házi helyi hegyi kuti laki réti szegi vári völgyi',
    ),
    ' ',
    true,
  ),
  turkish: language(
    'Ayşe Barış Çağla Doğan Elif Fırat Gülşen Hüseyin İlknur Koray Müge Nazlı Özgür Şebnem Tuğçe Ümit Yiğit Zülal',
    made(
      'Ak Boğa Çınar Demir Er Gümüş Işık Kara Öz Şahin Taş Ün Yıldız',
      'ağaç bay dağ er göl han kaya lar oğlu soy su taş tepe',
    ),
  ),
  greek: language(
    'Αγγελική Βασίλης Γιώργος Δήμητρα Ελένη Ζωή Ηλίας Θανάσης Ιωάννα Κώστας Μαρία Νίκος Ξένια Παύλος Σοφία Φώτης Χρυσάνθη',
    made(
      'Αμπελ Βουν Γαλαν Δασκαλ Ελαι Θαλασσ Κρυον Λιμν Μελισσ Πετρ Σταυρ Χειμων',
      'άκης άκος ανός άς έας ίδης ινός όπουλος ούδης',
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
    ' ',
    true,
  ),
  korean: language(
    made(
      '가 나 다 도 민 보 서 소 시 예 유 은 지 하 현 혜',
      '라 린 민 별 빈 솔 아 연 영 우 윤 은 인 준 진 호',
    ),
    words('강 권 김 남궁 문 박 배 선우 손 신 오 윤 이 정 최 한 황보'),
    '',
    true,
  ),
  chinese: language(
    made(
      '安 博 晨 春 冬 国 海 建 静 立 美 明 思 婉 小 雅 志',
      '琪 文 曦 燕 梅 强 涛 华 怡 新 玲 轩 远 婷 龙 雯 明',
    ),
    words('陈 邓 冯 高 何 黄 李 林 刘 欧阳 司马 孙 王 吴 谢 徐 杨 张 郑 诸葛'),
    '',
    true,
  ),
  arabic: language(
    'أحمد أمينة بلال جميلة حسن خديجة رانيا زيد سلمى طارق عائشة عمر فاطمة كريم ليلى مريم نور يوسف',
    words(
      'البستاني البغدادي التميمي الجبلي الجزائري الحداد الحلبي الخياط الدمشقي الراوي الزهراني السعيدي السمان الشمالي الصالحي الصباغ الطرابلسي العطار الفاسي القاسمي القيرواني المغربي النابلسي النجار الوراق اليماني',
    ),
  ),
  hebrew: language(
    'אביגיל בועז גלית דניאל הדס זיו יעל כרמל ליאור מיכל נועם עדי רותם שירה תמר',
    words(
      'אלמוג ארזי ברקת גלבוע גלעדי הררי זמיר חרמון יערי כרמון לביא מעיין נחלאי סלעי עמיר פלגי צוריאל רמון שדה שקד תבור',
    ),
  ),
  hindi: language(
    'अनिल आशा ईशान कविता गौरव चित्रा जया दीपक नेहा प्रिया मोहन रवि शीला सुनील हर्ष',
    made('अग्नि कपूर गोखल जोशी देश पंडित मेहर राठौर शर्म', 'कर पाल राज वाल वंशी'),
  ),
  vietnamese: language(
    made(
      'Ánh Bảo Châu Đức Hiếu Khánh Minh Ngọc Quỳnh Thảo',
      'An Hằng Lệ Linh Nhi Phượng Sơn Tuấn Vỹ Yến',
      ' ',
    ),
    words('Bùi Đặng Đỗ Dương Hồ Huỳnh Lê Ngô Nguyễn Phạm Phan Trần Trịnh Võ Vũ'),
    ' ',
    true,
  ),
  georgian: language(
    'ანა ბექა გიორგი დავით ელენე ვახტანგ თამარ ლუკა მარიამ ნინო სანდრო ქეთევან',
    made('ბერა გელო დოლი კახელ მთიულ ნადირ ცხრა წერეთ', 'აძე ეული იანი იძე იშვილი ური'),
  ),
  thai: language(
    'กมล จันทร์ ชัยวัฒน์ ดวงใจ ธนพล นภา ปรีชา พิมพ์ มานี รัตนา วิชัย สมชาย',
    made('แก้ว จันทร์ ทอง บุญ ภู ศรี แสง สุข', 'ชัย ดี ทอง เพ็ญ มณี รัตน์ วงศ์ อรุณ'),
  ),
} satisfies Record<string, Language>;

export type LanguageName = keyof typeof languages;
const everyLanguage = Object.keys(languages) as LanguageName[];

/** Returns a name from the home languages. One person in five has a name from any language. */
export function personName(random: Random, home: readonly LanguageName[]): string {
  const name = random.chance(0.2) ? random.pick(everyLanguage) : random.pick(home);
  const { given, family, join, familyFirst } = languages[name];
  const first = random.pick(given);
  const last = familyName(random, family);
  return familyFirst ? `${last}${join}${first}` : `${first}${join}${last}`;
}

const endOfLatin = 0x250;

// One in twelve has two family names with a hyphen, but only in Latin letters.
function familyName(random: Random, family: readonly string[]): string {
  const name = random.pick(family);
  const second = random.chance(0.08) ? random.pick(family) : name;
  const single = second === name || name.includes(' ') || name.charCodeAt(0) >= endOfLatin;
  return single ? name : `${name}-${second}`;
}
