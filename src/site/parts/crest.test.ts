import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { crest, disc, hueOf, initials } from './crest.ts';

const read = (file: string) => readFileSync(new URL(`../../../assets/${file}`, import.meta.url), 'utf8');
// Comments would count as parts of selectors.
const [style = '', screen = ''] = ['style.css', 'screen.css'].map((file) =>
  read(file).replaceAll(/\/\*.*?\*\//gs, ''),
);

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

/** Custom properties by name. */
type Properties = Record<string, string>;

/** Returns the custom properties of each rule with this selector, in the order of the sheet. */
function declared(sheet: string, selector: string): Properties[] {
  return [...sheet.matchAll(/([^{};]+)\{([^{}]*)\}/g)]
    .filter(([, selectors = '']) => selectors.split(',').some((each) => each.trim() === selector))
    .map(([, , body = '']) =>
      Object.fromEntries(
        [...body.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]),
      ),
    );
}

/** Returns what a property amounts to once all variables in it are replaced. */
function valueOf(name: string, scope: Properties): string {
  return (scope[name] ?? '').replaceAll(/var\(--([\w-]+)\)/g, (_, other: string) => valueOf(other, scope));
}

/** Returns the luminance of `#fff`, `#14201d` or `oklch(0.45 0.1 172)`. */
function luminance(colour: string): number {
  const [, lightness, chroma, hue] = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(colour) ?? [];
  const [red = 0, green = 0, blue = 0] =
    hue === undefined
      ? fromHex(colour.length === 4 ? colour.replaceAll(/\w/g, '$&$&') : colour)
      : fromOklch(Number(lightness), Number(chroma), (Number(hue) * Math.PI) / 180);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns linear red, green and blue. */
function fromHex(hex: string): number[] {
  assert.match(hex, /^#[\da-f]{6}$/);
  return [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
}

/** Returns linear red, green and blue as CSS Color 4 computes them, clipped to what a screen can show. */
function fromOklch(lightness: number, chroma: number, angle: number): number[] {
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ].map((value) => Math.min(1, Math.max(0, value)));
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Returns the properties in each place that has colours of its own, with or without oklch. */
function places(isExact: boolean): Record<string, Properties> {
  const exactAt = style.indexOf('@supports (color: oklch');
  const plain = style.slice(0, exactAt);
  const exact = isExact ? style.slice(exactAt, style.indexOf('@media print')) : '';
  const of = (selector: string, count = Infinity) => [
    ...declared(plain, selector).slice(0, count),
    ...declared(exact, selector).slice(0, count),
  ];
  const merged = (...all: Properties[][]): Properties => Object.assign({}, ...all.flat()) as Properties;
  // The first of two rules is for the light scheme.
  const light = merged(of(':root', 1));
  const dark = merged(of(':root'));
  const [plainScreen = '', exactScreen = ''] = screen.split('@supports');
  const onScreen = (selector: string) => [
    ...declared(plainScreen, selector),
    ...(isExact ? declared(exactScreen, selector) : []),
  ];
  const night = merged([dark], onScreen('html.stage'));
  const day = merged([night], onScreen('html.stage.day'));
  return {
    light: merged([light], of('.crest', 1)),
    dark: merged([dark], of('.crest')),
    'crest on a banner': merged([light], of('.crest', 1), of('.banner .crest')),
    screen: merged([night], onScreen('.stage .crest')),
    'screen by day': merged([day], onScreen('.stage .crest'), onScreen('.stage.day main .crest')),
    banner: merged([light], of('.banner'), [{ 'on-tile': 'var(--ink)' }]),
  };
}

for (const isExact of [true, false]) {
  test(`every hue is readable on both tones of a crest, in every scheme, ${isExact ? 'with' : 'without'} oklch`, () => {
    const hues = Array.from({ length: 16 }, (_, hue) => declared(style, `.h${hue}`));
    assert.ok(hues.every((hue) => hue.length === 1));
    for (const [place, scope] of Object.entries(places(isExact))) {
      // The properties of :root have a hue, too, for pages that belong to no club or faction.
      for (const [hue, own] of [...hues, []].entries()) {
        const shown = { ...scope, ...own[0] };
        const isReadable = (text: string, ground: string) => {
          const [ink, under] = [valueOf(text, shown), valueOf(ground, shown)];
          assert.equal([ink, under].some((each) => each.startsWith('oklch')) && !isExact, false);
          const found = contrast(ink, under);
          assert.ok(found >= 4.5, `${place}, hue ${hue}: --${text} ${ink} on --${ground} ${under}: ${found}`);
        };
        for (const tone of ['a', 'b']) isReadable('on-tile', tone);
        // On a banner, the same two tones are behind all text.
        if (place === 'crest on a banner') continue;
        const grounds = place === 'banner' ? ['a', 'b'] : ['paper', 'wash', 'tint'];
        for (const ground of grounds) for (const text of ['ink', 'muted', 'accent']) isReadable(text, ground);
        if (place !== 'banner') isReadable('on-accent', 'accent');
      }
    }
  });
}
