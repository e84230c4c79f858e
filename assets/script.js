// Marks followed players, finds a name in a tournament, and keeps the page of a running tournament up to
// date.
const main = document.getElementById('main');
const said = JSON.parse(document.currentScript.dataset.words);
const all = (selector, within = main) => [...within.querySelectorAll(selector)];

// Followed players are stored only in this browser. Any access to its storage may throw.
let followed = new Set();
function load() {
  try {
    followed = new Set(JSON.parse(localStorage.getItem('followed')));
  } catch {}
}
const isMarked = (id) => id !== undefined && followed.has(id);

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
  for (const title of all('h1[data-follow], .title[data-follow]'))
    addStar(idIn(title), title.textContent, title);
}

/** Marks those whom the reader follows. The server cannot, because it sends the same page to everybody. */
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
    top.innerHTML = `<tr class="head"><th colspan="6" scope="rowgroup">${said.followed}</th></tr>`;
    top.append(...mine.map((row) => row.cloneNode(true)));
    board.tHead.after(top);
  }
  for (const each of all('[data-follow]:not(tr, h1, .title)').filter((one) => isMarked(idIn(one)))) {
    (each.closest('.card') ?? each).classList.add('mine');
    // A card is a grid, so the star goes into the cell of the name.
    const place = each.closest('.card') ? 'afterbegin' : 'beforebegin';
    each.querySelector('bdi').insertAdjacentHTML(place, starred);
  }
  for (const cards of all('.slide')) putFirst(cards, all('li:has(> .mine)', cards));
  for (const top of all('.mine-top')) {
    const rows = all('li.mine, li:has(> .mine)', top.parentElement).filter((row) => !top.contains(row));
    const open = rows.filter((row) => row.matches('.people > :not(.done)') || row.querySelector('.open'));
    const last = top.parentElement.querySelector('.bracket') ? rows.slice(-1) : rows;
    const shown = open.length > 0 ? open : last;
    const found = shown.map((row) => row.cloneNode(true));
    // The style sheet shows either this row or its copy.
    for (const row of shown) row.classList.add('on-top');
    top.replaceChildren(...found);
  }
}

/**
 * Adds cards at the start of "Now". The browser keeps the card that was first before where it is on the screen,
 * so the new ones would be out of sight. Only a reader who has scrolled is left alone.
 */
function putFirst(cards, items) {
  const isAtStart = cards.scrollLeft === 0;
  cards.prepend(...items);
  if (isAtStart) cards.scrollLeft = 0;
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

// "Find your name" loads the rows when the field gets the focus, from an answer that is the same for
// everybody.
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
  // Nobody is followed in a frame on another site.
  if (document.body.matches('.embed')) return;
  load();
  addStars();
  mark();
}
dress();
// Another tab, or the page before this one, may have changed who is followed.
addEventListener('storage', dress);
addEventListener('pageshow', dress);

// The server writes English dates as in Britain: 30 June, not June 30.
const locale = document.documentElement.lang.replace(/^en$/, 'en-GB');

/** Converts times from UTC to the reader's own time. */
function localTimes() {
  for (const each of all('time.clock')) {
    const time = new Date(each.dateTime);
    const isToday = time.toDateString() === new Date().toDateString();
    const day = isToday ? {} : { day: 'numeric', month: 'short' };
    each.textContent = time.toLocaleString(locale, {
      ...day,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  }
}
localTimes();

// The page of a running tournament has a tag. The script asks for the page again and again and replaces its
// whole main part, so that everything on the screen at one moment comes from one revision.
let { tag } = main.dataset;
let isAsking = false;
let failures = 0;
let timer;
const pulse = main.querySelector('.pulse');
// A match can be in several lists.
const keyOf = (row) => {
  const list = row.closest('[aria-labelledby]')?.getAttribute('aria-labelledby');
  return `${list} ${row.getAttribute('href') ?? idIn(row)}`;
};
// Rows without an id cannot be told apart.
const changeable = () => all('a.card, .board tr').filter((row) => row.matches('a') || idIn(row));
const textsOf = () => new Map(changeable().map((row) => [keyOf(row), row.textContent]));
const openOnes = () => new Set(all('a.card.open').map(({ href }) => href));
const resultsIn = () => Number(main.querySelector('[data-results]')?.dataset.results ?? NaN);

function say(isLive, words) {
  const time = new Date().toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  pulse.classList.toggle('lost', !isLive);
  if (isLive) pulse.firstChild.textContent = '';
  else pulse.firstChild.textContent ||= `${said.notLive} ${time}`;
  // If the same words were written again, a screen reader would read them out again.
  if (pulse.lastChild.textContent !== words) pulse.lastChild.textContent = words;
}

/** Returns a function that finds the same link, star or list in the new part. */
function wayTo(element) {
  const link = element.getAttribute('href');
  const near = `#${CSS.escape(element.parentElement.closest('[id]').id)} ${element.localName}`;
  const named =
    element.value && element.matches('.star') ? `.star[value="${CSS.escape(element.value)}"]` : near;
  const selector = link === null ? named : `[href="${CSS.escape(link)}"]`;
  const index = all(selector).indexOf(element);
  return () => all(selector)[index];
}

const readable = () =>
  all('.board tbody:not(.pinned) tr, .cards:not(.mine-top) > li, .people:not(.mine-top) > li');
const whoIn = (row) => row.querySelector('th, .card, .name')?.textContent;

/** Below "Now", keeps the reader's row where it is on the screen, even if the rows above it change. */
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

const sideways = '.bracket, .slide';
const inTime = () => ({ signal: AbortSignal.timeout(10_000) });

/**
 * "Now" shows only some of the tables. Those of followed players are fetched one by one, each as a card. This
 * set has the followed players who are not in this tournament.
 */
const absent = new Set();
const mostFollowed = 5;
let isCardMissing = false;

async function addCards(page) {
  isCardMissing = false;
  const fresh = page.querySelector('main');
  const slides = all('.slide[data-stage]', fresh);
  if (slides.length === 0) return;
  load();
  const shown = new Set(all('.slide [data-follow]', fresh).map(idIn));
  const folder = page.querySelector('[data-names]')?.dataset.names.replace(/names$/, 'followed?');
  const wanted = [...followed].filter((id) => !shown.has(id) && !absent.has(id)).slice(-mostFollowed);
  await Promise.all(wanted.map((id) => addCard(fresh, slides, folder, id)));
}

async function addCard(fresh, slides, folder, id) {
  const [slug, entry] = id.split('/');
  const isHere = entry === undefined || folder.includes(`/tournaments/${slug}/`);
  const asked = entry === undefined ? { player: id } : { entry };
  const answer = isHere && (await fetch(folder + new URLSearchParams(asked), inTime()));
  if (!answer || answer.status === 404) absent.add(id);
  if (!answer.ok) return;
  const { body } = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const list = body.querySelector('ol');
  // A card from another moment would contradict the page. The next look brings the page or the card again.
  const isOfPage = fresh.dataset.tag?.startsWith(`W/"${list.dataset.revision}.`);
  isCardMissing ||= !isOfPage;
  // Two followed players may play each other.
  const isShown = all('.slide [data-follow]', fresh).some((each) => idIn(each) === id);
  if (!isOfPage || isShown) return;
  const row = slides.find(({ dataset }) => dataset.stage === list.dataset.stage);
  if (row) putFirst(row, list.children);
}

async function addMissingCards() {
  await addCards(document).catch(() => {});
  mark();
}

/**
 * Replaces the main part, and returns what is new in words. Scroll position, focus and unfolded lists stay.
 */
function exchange(page) {
  const held = document.activeElement;
  const again = main.contains(held) ? wayTo(held) : () => {};
  const unfolded = all('details[open]').map(({ id }) => id);
  const across = all(sideways).map(({ scrollLeft }) => scrollLeft);
  const before = textsOf();
  const wereOpen = openOnes();
  const resultsBefore = resultsIn();
  const { scrollX, scrollY } = window;
  const keepRow = rowAtTop();
  putIn(page);
  dress();
  localTimes();
  for (const id of unfolded) document.getElementById(id)?.setAttribute('open', '');
  for (const [index, each] of all(sideways).entries()) each.scrollLeft = across[index] ?? 0;
  if (!held.isConnected) again()?.focus({ preventScroll: true });
  window.scrollTo(scrollX, scrollY);
  keepRow?.();
  const changed = changeable().filter((row) => {
    const old = before.get(keyOf(row));
    return old !== undefined && old !== row.textContent;
  });
  for (const row of changed) row.classList.add('fresh-row');
  const areOpen = openOnes();
  const ended = all('a.card:not(.open)').filter(({ href }) => wereOpen.has(href) && !areOpen.has(href));
  const results = new Map(ended.map((row) => [row.href, row]));
  // Long lists are cut off, so the total number of results may tell more.
  const count = Math.max(results.size, resultsIn() - resultsBefore || 0);
  const [row] = results.values();
  const table = row?.querySelector(':scope > b')?.textContent;
  if (count === 0) return '';
  if (count === 1 && table === undefined) return said.newResult;
  if (count === 1) return said.newResultAt.replace('{}', table);
  const form = new Intl.PluralRules(document.documentElement.lang).select(count);
  return (said.newResults[form] ?? said.newResults.other).replace('{}', count);
}

/** Returns the page, or undefined if nothing has changed. */
async function ask() {
  const answer = await fetch(location, {
    headers: { 'If-None-Match': tag },
    ...inTime(),
  });
  if (answer.status === 304) return undefined;
  if (answer.status === 404) tag = undefined;
  if (answer.status !== 200) throw new Error(answer.status);
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

function putIn({ body, title }) {
  const fresh = body.querySelector('main');
  main.replaceChildren(...fresh.childNodes);
  main.querySelector('.pulse')?.replaceWith(pulse);
  main.className = fresh.className;
  document.title = title;
  // There is no tag once the tournament is over.
  ({ tag } = fresh.dataset);
  main.dataset.tag = tag ?? '';
}

async function look() {
  const wasLost = failures > 0;
  let page = await ask();
  if (page !== undefined) await addCards(page).catch(() => {});
  else if (isCardMissing) await addMissingCards();
  if (page !== undefined && isCardMissing) {
    // A result arrived between the two requests.
    page = (await ask()) ?? page;
    await addCards(page).catch(() => {});
  }
  let words = wasLost ? said.again : pulse.lastChild.textContent;
  if (page !== undefined) words = exchange(page) || (wasLost ? said.again : '');
  say(true, words);
  failures = 0;
}

async function lookAgain() {
  if (isAsking || tag === undefined) return;
  isAsking = true;
  clearTimeout(timer);
  // The network may be gone.
  await look().catch(() => {
    failures += 1;
    say(false, tag === undefined ? said.gone : said.lost);
  });
  isAsking = false;
  plan();
}

/** Larger pages are fetched less often, so that a phone does not fetch megabytes. */
const large = 200_000;
const usually = () => (main.innerHTML.length > large ? 30 : 10);

/**
 * Plans the next look: not at the same moment in all browsers, and later in a hidden tab and after failures.
 */
function plan() {
  const seconds = document.hidden ? 60 : Math.min(usually() * 2 ** failures, 60);
  if (tag !== undefined) timer = setTimeout(lookAgain, seconds * (800 + 400 * Math.random()));
}

if (tag !== undefined) {
  void addMissingCards();
  plan();
  document.addEventListener('visibilitychange', () => document.hidden || lookAgain());
}
