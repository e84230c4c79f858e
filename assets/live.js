// Keeps the page of a running event fresh while it is visible. Scroll, focus and unfolded lists stay.
const main = document.getElementById('main');
let tag = main.dataset.tag;
let isAsking = false;

const all = (selector) => [...main.querySelectorAll(selector)];

/** To the same link or list in the new part. */
function wayTo(element) {
  const address = element.getAttribute('href');
  const near = `#${CSS.escape(element.closest('[id]').id)} ${element.localName}`;
  const selector = address === null ? near : `[href="${CSS.escape(address)}"]`;
  const index = all(selector).indexOf(element);
  return () => all(selector)[index];
}

function exchange(fresh) {
  const held = document.activeElement;
  const again = main.contains(held) ? wayTo(held) : () => {};
  const unfolded = all('details[open]').map(({ id }) => id);
  const across = all('.bracket').map(({ scrollLeft }) => scrollLeft);
  const { scrollX, scrollY } = window;
  main.replaceChildren(...fresh.childNodes);
  for (const id of unfolded) document.getElementById(id)?.setAttribute('open', '');
  for (const [index, each] of all('.bracket').entries()) each.scrollLeft = across[index];
  again()?.focus({ preventScroll: true });
  window.scrollTo(scrollX, scrollY);
}

async function look() {
  const answer = await fetch(location, {
    headers: { 'If-None-Match': tag },
    signal: AbortSignal.timeout(10_000),
  });
  if (answer.status === 404) tag = undefined;
  if (answer.status !== 200) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page.getElementById('main');
  exchange(fresh);
  document.title = page.title;
  // None when the event is over.
  tag = fresh.dataset.tag;
}

async function lookAgain() {
  if (document.hidden || isAsking || tag === undefined) return;
  isAsking = true;
  // The network may be gone.
  await look().catch(() => {});
  isAsking = false;
}

setInterval(lookAgain, 15_000);
document.addEventListener('visibilitychange', lookAgain);
