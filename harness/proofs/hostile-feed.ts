import type { FeedRecord } from '../../src/record/feed/records.ts';

/**
 * Returns texts that attack a page: they would run code, break out of their element, load from elsewhere, or
 * break the layout.
 */
export function hostileTexts(count: number): string[] {
  const texts = new Set<string>();
  for (const start of starts) for (const attack of attacks) texts.add(`${start}${attack}`);
  return [...texts].slice(0, count);
}

// `hit` does not exist, so code that runs throws, and the browser reports it.
const attacks = [
  '<script>hit()</script>',
  '<img src=x onerror=hit()>',
  '<svg onload=hit()>',
  '" autofocus onfocus="hit()" x="',
  "' onmouseover='hit()",
  '</title><script>hit()</script>',
  '</script><script>hit()</script>',
  '</style><script>hit()</script>',
  '</textarea><script>hit()</script>',
  '--><script>hit()</script><!--',
  ']]><script>hit()</script>',
  'javascript:hit()',
  '<a href="javascript:hit()">x</a>',
  '<iframe srcdoc="<script>hit()</script>"></iframe>',
  '<details open ontoggle=hit()>',
  '<base href="https://evil.example/">',
  '<link rel="stylesheet" href="https://evil.example/x.css">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '<style>@import "https://evil.example/x.css"</style>',
  '{{constructor.constructor("hit()")()}} ${hit()} #{hit()}',
  '&lt;script&gt;hit()&lt;/script&gt; &#60;script&#62;hit()&#60;/script&#62;',
  '\\u003cscript>hit()\\u003c/script>',
  '<SCRIPT\u000bSRC=//evil.example/x.js></SCRIPT >',
  '<math><mtext><table><mglyph><style><!--</style><img title="--><img src=x onerror=hit()>">',
  '=HYPERLINK("https://evil.example/";"x")',
  'W'.repeat(150),
  '\u5B57'.repeat(150),
  `a${'\u0301\u0302\u0303'.repeat(40)}`,
  '\u{1F469}\u200D\u{1F469}\u200D\u{1F467} '.repeat(15),
  '\u202Eright to left \u2066and not back',
  'line\u2028separator\u0085and\u0001control\r\nand\ttab',
  '\u05E9\u05DC\u05D5\u05DD\u202C (\u0645\u0631\u062D\u0628\u0627) 1,234',
];
const starts = [
  '',
  '"',
  "'",
  '`',
  '>',
  '/>',
  '-->',
  '</b>',
  '\u202E',
  ' ',
  '\n',
  '\\',
  '%22',
  '\u00A0',
  '<!--',
  ';',
];

/** Returns a club, two players, a pack and a tournament with the text in every field that accepts text. */
export function hostileFeed(text: string, number: number): FeedRecord[] {
  const key = `hostile-${number}`;
  // There are two factions because games of a faction against itself do not count.
  const factionOf = (participant: string) => (participant === 'b' ? `Other ${text}` : text);
  const listOf = (participant: string) => ({
    faction: factionOf(participant),
    subFaction: text,
    points: 2000,
    battleTacticCards: [text, text],
    text,
  });
  const round = (victoryPoints: number) => ({
    round: 1,
    victoryPoints,
    objectives: [text],
    battleTactic: text,
    battleTacticScored: true,
    metrics: { [text]: 1 },
  });
  const side = (participant: string, victoryPoints: number) => ({
    participant,
    faction: factionOf(participant),
    subFaction: text,
    battlePoints: 3,
    victoryPoints,
    grandStrategy: text,
    metrics: { [text]: 5 },
    list: listOf(participant),
    rounds: [round(victoryPoints)],
  });
  const battle = (id: string, stage: string) => ({
    id,
    stage,
    round: 1,
    date: '2026-05-01',
    scenario: text,
    finished: true,
    winner: 'a',
    sides: [side('a', 40), side('b', 20)],
  });
  return [
    {
      kind: 'club',
      slug: key,
      name: text,
      description: text,
      city: text,
      country: text,
      members: 3,
      website: website(text),
    },
    { kind: 'player', id: `${key}-a`, name: text },
    { kind: 'battlePack', name: text, objectives: true, battleTactics: true, grandStrategies: true },
    {
      kind: 'tournament',
      slug: key,
      published: true,
      name: text,
      status: number % 2 === 0 ? 'finished' : 'ongoing',
      startDate: '2026-05-01',
      description: text,
      city: text,
      country: text,
      battleSize: 2000,
      battlePack: text,
      organizer: key,
      tournamentOrganizers: [`${key}-a`],
      metrics: [{ name: text, type: 'number' }],
      standingsLabel: text,
      groups: [text],
      stages: [
        { id: 'swiss', label: text, type: 'board', rounds: 2, grouped: true },
        { id: 'knockout', label: text, type: 'bracket', rounds: 1 },
      ],
      participants: [
        { id: 'a', player: `${key}-a`, group: text, club: key, list: listOf('a') },
        { id: 'b', name: text, group: text, list: listOf('b') },
        { id: 'c', name: text, group: text, faction: text },
      ],
      byes: [{ stage: 'swiss', round: 1, participant: 'c', win: true }],
      battles: [battle(`${key}-1`, 'swiss'), battle(`${key}-2`, 'knockout')],
      matches: [
        {
          stage: 'knockout',
          round: 1,
          position: 1,
          name: text,
          table: 1,
          players: ['a', 'b'],
          winner: 'a',
          battle: `${key}-2`,
        },
      ],
    },
  ];
}

/** Returns an address with the text in it that the feed accepts. */
function website(text: string): string {
  return `https://club.example/?'${encodeURIComponent(Array.from(text).slice(0, 40).join(''))}`;
}
