// Refreshes the live parts of a page when the world changes. Without this script a page stays as it was
// when it was loaded.
import { Idiomorph } from '/hosted/assets/idiomorph.js';

const LEAST_PAUSE = 300;
/** A pause is at least this many times as long as the last refresh, so slow pages are refreshed less often. */
const PAUSE_PER_WORK = 4;

let pause = LEAST_PAUSE;

const parts = () => [...document.querySelectorAll('[data-live]')];

let isWaiting = false;
let isAgain = false;

async function refresh() {
  if (isWaiting) {
    isAgain = true;
    return;
  }
  isWaiting = true;
  await new Promise((resolve) => setTimeout(resolve, pause));
  isAgain = false;
  const started = performance.now();
  try {
    await updateParts();
  } finally {
    isWaiting = false;
    pause = Math.max(LEAST_PAUSE, PAUSE_PER_WORK * (performance.now() - started));
    if (isAgain) void refresh();
  }
}

async function updateParts() {
  // The address of the page that a refused form shows again is that of the form.
  const answer = await fetch(first.dataset.page, { headers: { Accept: 'text/html' } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const part of parts()) {
    const next = fresh.getElementById(part.id);
    if (!next) continue;
    // A list in use does not move under the reader; a button offers what is new.
    if (part.dataset.total !== undefined && isInUse(part)) offer(part, next);
    else put(part, next);
  }
  // The counts beside the sections, and the time in the bar.
  for (const part of document.querySelectorAll('#sections, #world-time')) {
    const next = fresh.getElementById(part.id);
    if (next) morph(part, next);
  }
}

/** Changes only what differs. What the reader has unfolded stays unfolded. */
function morph(part, next) {
  Idiomorph.morph(part, next.innerHTML, {
    morphStyle: 'innerHTML',
    ignoreActiveValue: true,
    callbacks: {
      beforeAttributeUpdated: (name, node) => !(name === 'open' && node.matches('details')),
    },
  });
}

function put(part, next) {
  part.previousElementSibling?.matches('.new') && part.previousElementSibling.remove();
  morph(part, next);
  part.dataset.total = next.dataset.total;
}

/** Adds a button that brings in the new rows. */
function offer(part, next) {
  const count = Number(next.dataset.total) - Number(part.dataset.total);
  if (!(count > 0)) return;
  const earlier = part.previousElementSibling;
  const button = earlier?.matches('.new') ? earlier : document.createElement('button');
  button.type = 'button';
  button.className = 'new';
  button.textContent = `${count.toLocaleString('en')} new`;
  button.onclick = () => put(part, next);
  if (button !== earlier) part.before(button);
}

function isInUse(part) {
  const selection = getSelection();
  const isMarked = selection && !selection.isCollapsed && selection.containsNode(part, true);
  return isMarked || part.contains(document.activeElement);
}

const [first] = parts();
let source;

// Browsers allow few connections to one origin, so only the visible tab has one.
function listen() {
  source?.close();
  source = undefined;
  if (!first || document.hidden) return;
  source = new EventSource(first.dataset.live);
  // After a connection or reconnection: the world may have changed before it.
  source.onopen = () => void refresh();
  source.onmessage = () => void refresh();
  source.addEventListener('closed', () => source?.close());
}

document.addEventListener('visibilitychange', listen);
addEventListener('pageshow', listen);
addEventListener('pagehide', () => source?.close());
