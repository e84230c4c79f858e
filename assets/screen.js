// Turns the pages of a screen, keeps it up to date, and keeps its picture if the network is gone. Nobody
// touches it for ten hours.
const { lost: lostWords } = document.currentScript.dataset;
const assetsOf = (page) =>
  [...page.querySelectorAll('link[rel=stylesheet], script[src]')].map((each) => each.outerHTML).join();
const assets = assetsOf(document);
const seconds = 10;
// The number of milliseconds by which the clock of the server is ahead of ours.
let ahead = 0;
let { tag } = document.body.dataset;
let isAsking = false;

/** Shows the page for the present time, so that all screens show the same one. */
function turn() {
  const pages = [...document.querySelectorAll('.page')];
  const shown = Math.floor((Date.now() + ahead) / 1_000 / seconds) % pages.length;
  for (const [index, page] of pages.entries()) page.classList.toggle('on', index === shown);
}

/** Turns now, and again at the next moment at which all screens turn. */
function planTurn() {
  turn();
  const period = seconds * 1_000;
  setTimeout(planTurn, period - ((((Date.now() + ahead) % period) + period) % period));
}

function localTimes() {
  const lang = document.documentElement.lang;
  for (const each of document.querySelectorAll('time.clock')) {
    each.textContent = new Date(each.dateTime).toLocaleTimeString(lang, {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  }
}

const parts = ['header', 'main', 'footer'];

function putIn(page) {
  // The sign-in page of a public network answers 200, too.
  if (!page.documentElement.matches('.stage')) throw new Error('This is another page.');
  if (assetsOf(page) !== assets) {
    location.reload();
    return;
  }
  for (const part of parts) document.querySelector(part).replaceWith(page.querySelector(part));
  document.title = page.title;
  document.documentElement.className = page.documentElement.className;
  ({ tag } = page.body.dataset);
  localTimes();
  turn();
}

async function ask() {
  const answer = await fetch(location, {
    headers: { 'If-None-Match': tag },
    signal: AbortSignal.timeout(8_000),
  });
  if (answer.status !== 304 && answer.status !== 200) throw new Error(answer.status);
  const date = Date.parse(answer.headers.get('date'));
  if (!Number.isNaN(date)) ahead = date - Date.now();
  if (answer.status === 200) putIn(new DOMParser().parseFromString(await answer.text(), 'text/html'));
}

/** Says since when nothing has arrived. The picture stays. */
function say(words) {
  const line = document.querySelector('.lost');
  if (words === '' || line.textContent === '') line.textContent = words;
}

async function look() {
  if (isAsking) return;
  isAsking = true;
  try {
    await ask();
    say('');
  } catch {
    const time = new Date().toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    say(`${lostWords} ${time}`);
  }
  isAsking = false;
}

/** Keeps the screen on. The browser releases the lock whenever the page is hidden. */
async function stayAwake() {
  if (!document.hidden) await navigator.wakeLock?.request('screen').catch(() => {});
}

localTimes();
planTurn();
void stayAwake();
document.addEventListener('visibilitychange', stayAwake);
void look();
setInterval(look, seconds * 1_000);
