/**
 * Builds an expression for a browser that returns every visible text with its contrast to what is behind it,
 * the lowest first. `onWhite` leaves backgrounds out, as browsers do when they print.
 */
export const contrasts = (onWhite = false): string => `(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  // Browsers name computed colours in many ways, such as oklch(), but a canvas turns all of them into bytes.
  const bytes = (...layers) => {
    for (const layer of layers) {
      canvas.fillStyle = layer;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = (of) => {
    const [red, green, blue] = of
      .map((byte) => byte / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const clear = 'rgba(0, 0, 0, 0)';
  const canvasOfPage = getComputedStyle(document.body).backgroundColor;
  const ground = ${onWhite} || canvasOfPage === clear ? '#fff' : canvasOfPage;
  const behind = (element) => {
    for (let each = element; each && !${onWhite}; each = each.parentElement) {
      const { backgroundImage, backgroundColor } = getComputedStyle(each);
      const tones = backgroundImage.match(/(?:oklch|rgba?)\\([^()]*\\)/g) ?? [];
      if (tones.length > 0) return tones;
      if (backgroundColor !== clear) return [backgroundColor];
    }
    return [ground];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement: parent } = walker.currentNode;
    if (data.trim() === '' || parent.closest('script, style, noscript, .vh, .skip')) continue;
    if (!parent.checkVisibility({ visibilityProperty: true })) continue;
    const { color, fill } = getComputedStyle(parent);
    for (const tone of behind(parent)) {
      const under = luminance(bytes(ground, tone));
      const text = luminance(bytes(ground, tone, parent.closest('svg') ? fill : color));
      const [dark, light] = [under, text].sort((a, b) => a - b);
      found.push([Number(((light + 0.05) / (dark + 0.05)).toFixed(2)), data.trim()]);
    }
  }
  return JSON.stringify(found.sort(([a], [b]) => a - b));
})()`;
