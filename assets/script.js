// Marks the players that somebody follows, finds a name of the event, and keeps the page of a running event fresh.
const main = document.getElementById('main');
const said = JSON.parse(document.currentScript.dataset.words);
const all = (selector, within = main) => [...within.querySelectorAll(selector)];

// Followed players stay in this browser. Any access to its store may throw.
let followed = new Set();
function load() {
  try {
    followed = new Set(JSON.parse(localStorage.getItem('followed')));
  } catch {}
}
const query = new URLSearchParams(location.search);
const asked = main.dataset.followed;
const marking = ['player', 'entry'];
const isMarked = (id) => id !== undefined && (followed.has(id) || id === asked);

const star =
  '<svg viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d="m10 2 2.5 5.2 5.5.8-4 4 1 5.6-5-2.7-5 2.7 1-5.6-4-4 5.5-.8z"/></svg>';
const starred = `<span class="starred">${star}<span class="vh">${said.marked} </span></span>`;

const idIn = ({ dataset }) => dataset.follow;
const boardRows = (board) => all('tbody:not(.pinned) tr', board);

function addStar(id, name, place) {
  if (id === undefined || place.querySelector('.star')) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'star';
  button.value = id;
  button.setAttribute(
    'aria-label',
    said.follow.replace('{}', () => name),
  );
  button.innerHTML = star;
  place.append(button);
}

function addStars() {
  for (const row of all('.board').flatMap(boardRows))
    addStar(idIn(row), row.querySelector('.name')?.textContent, row.firstElementChild);
  for (const { dataset, firstElementChild: title } of all('.title[data-follow]'))
    addStar(dataset.follow, title.textContent, title);
}

/** As the server marks the player of the address. */
function mark() {
  for (const each of all('.pinned, .starred')) each.remove();
  for (const each of all('.mine, .on-top')) each.classList.remove('mine', 'on-top');
  for (const each of all('.star')) each.setAttribute('aria-pressed', followed.has(each.value));
  for (const board of all('.board')) {
    const mine = boardRows(board).filter((row) => isMarked(idIn(row)));
    if (mine.length === 0) continue;
    for (const row of mine) {
      row.classList.add('mine');
      row.cells[0].insertAdjacentHTML('afterbegin', `<span class="starred vh">${said.marked} </span>`);
    }
    const top = document.createElement('tbody');
    top.className = 'pinned';
    top.innerHTML = `<tr><th colspan="5" scope="rowgroup">${said.followed}</th></tr>`;
    top.append(...mine.map((row) => row.cloneNode(true)));
    board.tHead.after(top);
  }
  for (const each of all('[data-follow]:not(tr, .title)').filter((one) => isMarked(idIn(one)))) {
    (each.closest('.match') ?? each).classList.add('mine');
    each.querySelector('bdi').insertAdjacentHTML('beforebegin', starred);
  }
  for (const top of all('.mine-top')) {
    const rows = all('li:has(> .mine)', top.parentElement).filter((row) => !top.contains(row));
    const open = rows.filter((row) => row.querySelector('.open'));
    const last = top.parentElement.querySelector('.bracket') ? rows.slice(-1) : rows;
    // The server knows the row of the player in the address, also when the list is cut off before it. In a part that came later
    // the row is still true if the round is the same, and the board says as it does whether the game is open.
    const round = top.parentElement.querySelector('h2')?.textContent;
    top.sent ??= { top, round, rows: [...top.children] };
    if (top.sent.top !== top) {
      const mine = all('.board .mine');
      const isOpen = mine.every((row) => row.querySelector('.mark'));
      const mayStay =
        mine.length > 0 && top.sent.round === round && top.parentElement.querySelector('.all-of');
      const isTrue = (row) => mayStay && isOpen === (row.querySelector('.open') !== null);
      top.sent = { top, round, rows: top.sent.rows.filter(isTrue) };
    }
    const shown = open.length > 0 ? open : last;
    const found = shown.map((row) => row.cloneNode(true));
    // The style sheet shows it once.
    for (const row of shown) row.classList.add('on-top');
    top.replaceChildren(...(found.length > 0 ? found : top.sent.rows));
  }
}

main.addEventListener('click', ({ target }) => {
  const id = target.closest('.star')?.value;
  if (id === undefined) return;
  load();
  if (!followed.delete(id)) followed.add(id);
  try {
    localStorage.setItem('followed', JSON.stringify([...followed]));
  } catch {}
  mark();
});

const folded = (text) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
    .trim();

// "Find your name": the rows come with the first look at the field, and all who look share them.
const finder = document.querySelector('[data-names]');
const found = document.createElement('div');
found.className = 'found';
let rows;

async function namesOf(url) {
  const text = await (await fetch(url)).text();
  return all('li', new DOMParser().parseFromString(text, 'text/html'));
}

async function find() {
  const { value } = finder.elements.name;
  const wanted = folded(value);
  rows ??= namesOf(finder.dataset.names);
  const known = await rows.catch(() => []);
  if (value !== finder.elements.name.value) return;
  const list = document.createElement('ul');
  const hits = known.filter((row) => folded(row.querySelector('bdi').textContent).includes(wanted));
  list.append(...hits.slice(0, 8).map((row) => row.cloneNode(true)));
  const other = document.createElement('a');
  other.href = `${finder.dataset.search}?q=${encodeURIComponent(value)}`;
  other.textContent = said.searchSite.replace('{}', () => value);
  found.replaceChildren(list, other);
  if (wanted === '') found.remove();
  else finder.append(found);
}

if (finder) {
  finder.addEventListener('focusin', ({ relatedTarget }) => {
    if (finder.contains(relatedTarget)) return;
    rows = undefined;
    void find();
  });
  finder.addEventListener('input', find);
  finder.addEventListener(
    'focusout',
    ({ relatedTarget }) => finder.contains(relatedTarget) || found.remove(),
  );
  finder.addEventListener('keydown', ({ key }) => key === 'Escape' && found.remove());
  finder.addEventListener('submit', (event) => {
    const first = found.isConnected && found.querySelector('li a');
    if (!first) return;
    event.preventDefault();
    location = first.href;
  });
}

function dress() {
  // In a frame of another site nobody is followed.
  if (document.body.matches('.embed')) return;
  for (const link of asked === undefined ? [] : all('.tabs a')) {
    const address = new URL(link.href);
    for (const name of marking) if (query.has(name)) address.searchParams.set(name, query.get(name));
    link.href = address;
  }
  load();
  addStars();
  mark();
}
dress();
// Another tab, or the page before this one, may have changed who is followed.
addEventListener('storage', dress);
addEventListener('pageshow', dress);

// The page of a running event names a fragment: what changes most often. When its tag moves, the page is old. A battle names itself.
let { now, fragment } = main.dataset;
let heldFragment = fragment;
let fetchedAt = -Infinity;
let isAsking = false;
let failures = 0;
let timer;
const pulse = main.querySelector('.pulse');
// All who look at a page share its address and the kept answer: whom the address follows is marked here.
const address = new URL(location);
for (const name of marking) address.searchParams.delete(name);

// A match can stand in several lists.
const keyOf = (row) => {
  const list = row.closest('[aria-labelledby]')?.getAttribute('aria-labelledby');
  return `${list} ${row.getAttribute('href') ?? idIn(row)}`;
};
// Rows without an id cannot be told apart.
const changeable = () => all('a.match, .board tr').filter((row) => row.matches('a') || idIn(row));
const textsOf = () => new Map(changeable().map((row) => [keyOf(row), row.textContent]));
const openOnes = () => new Set(all('a.match.open').map(({ href }) => href));
const resultsIn = () => Number(main.querySelector('[data-results]')?.dataset.results ?? NaN);

function say(isLive, words) {
  const time = new Date().toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  pulse.classList.toggle('lost', !isLive);
  if (isLive) pulse.firstChild.innerHTML = `<span class="away">${said.live}</span> ${time}`;
  else pulse.firstChild.firstChild?.replaceWith(said.notLive);
  // The same words again would be read out again.
  if (pulse.lastChild.textContent !== words) pulse.lastChild.textContent = words;
}

/** To the same link or list in the new part. */
function wayTo(element) {
  const link = element.getAttribute('href');
  const near = `#${CSS.escape(element.parentElement.closest('[id]').id)} ${element.localName}`;
  const named =
    element.value && element.matches('.star') ? `.star[value="${CSS.escape(element.value)}"]` : near;
  const selector = link === null ? named : `[href="${CSS.escape(link)}"]`;
  const index = all(selector).indexOf(element);
  return () => all(selector)[index];
}

const readable = () => all('.board tbody:not(.pinned) tr, .pairings > li, .people:not(.mine-top) > li');
const whoIn = (row) => row.querySelector('th, .match, .person')?.textContent;

/** Behind "Now", the reader's row stays where it is on the screen, also when the rows above it change. */
function rowAtTop() {
  if (all('.now').some((part) => part.getBoundingClientRect().bottom > 0)) return undefined;
  const row = readable().find((each) => each.getBoundingClientRect().top >= 0);
  if (row === undefined) return undefined;
  const [who, { top }] = [idIn(row) ?? whoIn(row), row.getBoundingClientRect()];
  return () => {
    const again = readable().find((each) => (idIn(each) ?? whoIn(each)) === who);
    if (again) window.scrollBy(0, again.getBoundingClientRect().top - top);
  };
}

/** In sight, "Now" keeps its height while its round goes on, so that the board below stays. */
const heightsOfNow = () =>
  new Map(all('.now').map((part) => [roundIn(part), part.getBoundingClientRect().height]));
const roundIn = (part) => part.querySelector('h2').firstChild.textContent;
function keepHeights(heights) {
  for (const part of all('.now')) {
    const before = heights.get(roundIn(part)) ?? 0;
    if (before > part.getBoundingClientRect().height) part.style.minHeight = `${before}px`;
  }
}

/** Returns what is new, in words. Scroll, focus and unfolded lists stay. */
function exchange(putIn) {
  const held = document.activeElement;
  const again = main.contains(held) ? wayTo(held) : () => {};
  const unfolded = all('details[open]').map(({ id }) => id);
  const across = all('.bracket').map(({ scrollLeft }) => scrollLeft);
  const sent = all('.mine-top').map((top) => top.sent);
  const before = textsOf();
  const wereOpen = openOnes();
  const resultsBefore = resultsIn();
  const { scrollX, scrollY } = window;
  const keepRow = rowAtTop();
  const heights = heightsOfNow();
  putIn();
  for (const [index, top] of all('.mine-top').entries()) top.sent = sent[index];
  dress();
  for (const id of unfolded) document.getElementById(id)?.setAttribute('open', '');
  for (const [index, each] of all('.bracket').entries()) each.scrollLeft = across[index];
  if (!held.isConnected) again()?.focus({ preventScroll: true });
  keepHeights(heights);
  window.scrollTo(scrollX, scrollY);
  keepRow?.();
  const changed = changeable().filter((row) => {
    const old = before.get(keyOf(row));
    return old !== undefined && old !== row.textContent;
  });
  for (const row of changed) row.classList.add('fresh-row');
  const areOpen = openOnes();
  const ended = all('a.match:not(.open)').filter(({ href }) => wereOpen.has(href) && !areOpen.has(href));
  const results = new Map(ended.map((row) => [row.href, row]));
  // Long lists are cut off: then the number of all results tells.
  const count = Math.max(results.size, resultsIn() - resultsBefore || 0);
  const [row] = results.values();
  const table = row?.querySelector('.no')?.textContent;
  if (count === 0) return '';
  if (count === 1 && table === undefined) return said.newResult;
  if (count === 1) return said.newResultAt.replace('{}', table);
  const form = new Intl.PluralRules(document.documentElement.lang).select(count);
  return (said.newResults[form] ?? said.newResults.other).replace('{}', count);
}

/** Undefined: nothing has changed. */
async function ask(url, tag) {
  const answer = await fetch(url, {
    headers: { 'If-None-Match': tag },
    signal: AbortSignal.timeout(10_000),
  });
  if (answer.status === 304) return undefined;
  if (answer.status === 404) now = undefined;
  if (answer.status !== 200) throw new Error(answer.status);
  const { body, title } = new DOMParser().parseFromString(await answer.text(), 'text/html');
  return { body, title, tag: answer.headers.get('etag') };
}

function putInFragment({ body }) {
  for (const part of ['.badges', '.lead', '.running']) {
    const fresh = body.querySelector(part);
    if (fresh) main.querySelector(part)?.replaceWith(fresh);
  }
  const [first, ...others] = all('.now');
  first?.replaceWith(...all('.now', body));
  for (const each of others) each.remove();
}

function putInPage({ body, title }) {
  const fresh = body.querySelector('main');
  main.replaceChildren(...fresh.childNodes);
  main.querySelector('.pulse')?.replaceWith(pulse);
  document.title = title;
  // None when the event is over.
  ({ now, fragment } = fresh.dataset);
  heldFragment = fragment;
  main.dataset.tag = fresh.dataset.tag;
}

const isOld = () => main.dataset.tag !== undefined && fragment !== heldFragment;
const untilPage = () => Math.max(fetchedAt + 30_000 - Date.now(), 0);

async function look() {
  const wasLost = failures > 0;
  let words = wasLost ? said.again : pulse.lastChild.textContent;
  const news = await ask(now, heldFragment);
  if (news !== undefined) {
    heldFragment = news.tag;
    words =
      exchange(() => (news.body.querySelector('main') ? putInPage : putInFragment)(news)) ||
      (wasLost ? said.again : '');
    if (main.dataset.tag === undefined && !main.querySelector('.live')) now = undefined;
  }
  if (isOld() && untilPage() === 0) {
    const page = await ask(address, main.dataset.tag);
    fetchedAt = Date.now();
    if (page === undefined) fragment = heldFragment;
    else words = exchange(() => putInPage(page)) || words;
  }
  say(true, words);
  failures = 0;
}

async function lookAgain() {
  if (isAsking || now === undefined) return;
  isAsking = true;
  clearTimeout(timer);
  // The network may be gone.
  await look().catch(() => {
    failures += 1;
    say(false, now === undefined ? said.gone : said.lost);
  });
  isAsking = false;
  plan();
}

/** Not all at the same moment, less often in a hidden tab, and after failures. */
function plan() {
  const usual = (document.hidden ? 60 : Math.min(10 * 2 ** failures, 60)) * (800 + 400 * Math.random());
  const wait = isOld() && failures === 0 && !document.hidden ? Math.min(usual, untilPage()) : usual;
  if (now !== undefined) timer = setTimeout(lookAgain, wait);
}

if (now !== undefined) {
  say(true, '');
  plan();
  document.addEventListener('visibilitychange', () => document.hidden || lookAgain());
}
