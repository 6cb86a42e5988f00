// Keyboard shortcuts of the inspector: / and Ctrl+K search, j and k move through rows, Enter opens one, ? lists them.
const find = () => document.querySelector('.find input[type="search"]');
const rows = () => [...document.querySelectorAll('main tbody tr:not(.day)')];

const isTyping = ({ target }) =>
  target.closest('input, textarea, select, [contenteditable]') !== null;

function move(step) {
  const all = rows();
  const at = all.findIndex((row) => row.classList.contains('selected'));
  const next = all[Math.min(all.length - 1, Math.max(0, at + step))];
  if (!next) return;
  all[at]?.classList.remove('selected');
  next.classList.add('selected');
  next.scrollIntoView({ block: 'nearest' });
  next.querySelector('a')?.focus({ preventScroll: true });
}

const KEYS = {
  '/': () => find()?.focus(),
  j: () => move(1),
  k: () => move(-1),
  '?'() {
    const keys = document.querySelector('details.keys');
    if (!keys) return;
    keys.open = !keys.open;
    keys.scrollIntoView({ block: 'nearest' });
  },
};

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape')
    for (const menu of document.querySelectorAll('.menu[open]')) menu.open = false;
  const isFind = event.key === 'k' && (event.ctrlKey || event.metaKey);
  if (!isFind && (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey)) return;
  const act = isFind ? KEYS['/'] : KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

// Local time is in the time zone of the browser; if that is UTC, there is nothing to choose.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const link of document.querySelectorAll('[data-local-zone]')) {
  const address = new URL(link.href);
  address.searchParams.set('zone', zone);
  link.href = address.href;
  link.hidden = zone === 'UTC';
}
