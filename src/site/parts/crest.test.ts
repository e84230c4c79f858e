import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { crest, disc, hueOf, initials } from './crest.ts';

const style = readFileSync(new URL('../../../assets/style.css', import.meta.url), 'utf8');

test('hue and division follow from the name, as the drawings of the design have them', () => {
  assert.equal(crest('Marrow Choir').text, '<i class="crest h11 d5" aria-hidden="true">MC</i>');
  assert.equal(crest('Quarry Giants').text, '<i class="crest h8" aria-hidden="true">QG</i>');
  assert.equal(disc('Ångstad Irregulars').text, '<i class="crest club h11 d5" aria-hidden="true">ÅI</i>');
  assert.equal(crest('Lanternsworn').text, '<i class="crest h13 d3" aria-hidden="true">La</i>');
});

test('the same name has the same crest in any normal form and in any case', () => {
  for (const name of ['Ångström Bund', 'Ｗide Ｌetters', 'Ærlige Øst', 'Ελλάς', '한국 클럽', 'ﬁfth Legion']) {
    const forms = (['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map((form) => hueOf(name.normalize(form)));
    assert.deepEqual(new Set([...forms, hueOf(name.toLowerCase()), hueOf(name.toUpperCase())]).size, 1, name);
  }
});

test('initials: two capitalised words, else two letters, one character of dense scripts, else a question mark', () => {
  assert.deepEqual(
    [
      'Moth Parliament',
      'Order of the Long Night',
      'Lanternsworn',
      "D'Alanera Guard",
      'iron hills',
      '黄晨',
      '박민은',
      'さくら',
      '42',
      '',
      '☃ ✨',
    ].map(initials),
    ['MP', 'OL', 'La', 'DG', 'ir', '黄', '박', 'さ', '?', '?', '?'],
  );
});

test('all hues and divisions occur, about equally often', () => {
  const seen = new Map<string, number>();
  for (let index = 0; index < 3_200; index += 1) {
    const [, classes = ''] = /class="crest ([^"]*)"/.exec(crest(`Faction ${index * 7919}`).text) ?? [];
    for (const each of classes.split(' ')) seen.set(each, (seen.get(each) ?? 0) + 1);
  }
  const hues = [...seen].filter(([name]) => name.startsWith('h'));
  assert.equal(hues.length, 16);
  assert.ok(Math.min(...hues.map(([, count]) => count)) > 50);
  assert.equal([...seen].filter(([name]) => name.startsWith('d')).length, 5);
});

/** Returns the custom properties of a CSS rule. */
function properties(selector: string): Record<string, string> {
  const body =
    new RegExp(`(?:^|\\n)\\s*${selector.replaceAll('.', '\\.')} \\{([^}]*)\\}`).exec(style)?.[1] ?? '';
  return Object.fromEntries(
    [...body.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]),
  );
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((one, other) => one - other);
  return (light + 0.05) / (dark + 0.05);
}

test('initials are readable on both tones of every hue, in light, dark and on banners, also without oklch', () => {
  for (let hue = 0; hue < 16; hue += 1) {
    const { deep, deeper, bright, mid, field, field2, pale, night } = properties(`.h${hue}`);
    for (const [ink, ...tones] of [
      ['#ffffff', deep, deeper, field, field2],
      ['#0b1210', bright, mid],
    ]) {
      for (const tone of tones)
        assert.ok(contrast(ink ?? '', tone ?? '') >= 4.5, `h${hue}: ${ink} on ${tone}`);
    }
    // Links and table numbers are shown on the tint of the colour scheme.
    assert.ok(contrast(deep ?? '', pale ?? '') >= 4.5, `h${hue} on its pale tint`);
    assert.ok(contrast(bright ?? '', night ?? '') >= 4.5, `h${hue} on its dark tint`);
  }
});
