import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageBasesOf } from '../../read/page-address.ts';
import type { BracketView, MatchView, SideView } from '../../published/views.ts';
import type { SiteSettings } from '../site-settings.ts';
import { en } from '../words/en.ts';
import { drawnBracket } from './bracket.ts';

const site = {
  siteUrl: 'https://wartable.example/results',
  siteName: 'Site',
  pageBases: pageBasesOf('https://wartable.example/results'),
  apiUrl: 'https://api.wartable.example',
  contactUrl: undefined,
  termsUrl: undefined,
  dataUrl: undefined,
  trialKey: undefined,
  hasPages: true,
  hasEmbed: true,
  hasGuests: true,
  assets: { style: '', script: '', screenStyle: '', screenScript: '', icon: '', touchIcon: '', preview: '' },
  siteLanguage: 'en' as const,
  words: en,
  ownPath: '',
  translations: [],
};

const side = (player: string, more: Partial<SideView> = {}): SideView => ({
  player,
  playerId: null,
  ...more,
});

function final(more: Partial<MatchView>): BracketView {
  const match: MatchView = {
    battle: null,
    stage: 'knockout',
    round: 1,
    table: 3,
    state: 'open',
    sides: [side('Ann'), side('Bea')],
    number: 1,
    title: { name: 'Final', kind: { field: 2 } },
    isFirst: true,
    ...more,
  };
  const trees = [[{ round: 1, title: { name: 'Final', kind: { field: 2 } }, matches: [1] }]];
  return { type: 'bracket', round: 1, hasBattles: false, matches: [match], trees, apart: [] };
}

/** Returns the match as one line of text. */
function drawn(more: Partial<MatchView>, shownOn: SiteSettings = site): string {
  const { text } = drawnBracket({ site: shownOn, slug: 'cup', bracket: final(more) });
  const [, box = ''] = /<li[^>]*>(<(?:a|div) class="card.*?)<\/li>/s.exec(text) ?? [];
  return box
    .replaceAll(/<span class="side/g, ' | <span class="side')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/ +/g, ' ')
    .trim();
}

test('a match says table, players, scores with equal decimals, and where the winner plays', () => {
  const sides: [SideView, SideView] = [
    side('Ann', { outcome: 'win', victoryPoints: 20.5 }),
    side('Bea', { outcome: 'loss', victoryPoints: 12 }),
  ];
  assert.equal(
    drawn({ state: 'over', sides, next: 5 }),
    'Table 3 | Ann won 20.5 | Bea lost 12.0 Match 1 · Winner plays match 5',
  );
  assert.equal(
    drawn({ table: null, sides: [{ from: 'unknown' }, { from: 'winner', of: 2 }] }),
    'Match 1 | To be decided | Winner of match 2',
  );
  assert.equal(
    drawn({
      state: 'over',
      isWalkover: true,
      sides: [side('Ann', { outcome: 'loss' }), side('Bea', { outcome: 'win' })],
    }),
    'Table 3 | Ann lost | Bea won w/o Match 1',
  );
});

test('a game with points is being played, but a saved page does not say so for ever', () => {
  const sides: [SideView, SideView] = [side('Ann', { victoryPoints: 7 }), side('Bea', { victoryPoints: 8 })];
  assert.equal(drawn({ sides }), 'Table 3 | Ann 7 | Bea 8 Playing Match 1');
  assert.equal(drawn({ sides }, { ...site, savedAt: new Date() }), 'Table 3 | Ann 7 | Bea 8 Match 1');
});

test('names are text', () => {
  const { text } = drawnBracket({ site, slug: 'cup', bracket: final({ sides: [side('<b>'), side('"&')] }) });
  assert.match(text, /<bdi>&lt;b&gt;<\/bdi>/);
  assert.match(text, /<bdi>&quot;&amp;<\/bdi>/);
});
