// Keyboard shortcuts of the inspector: / and Ctrl+K go to the command box, Escape closes menus.
document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (key === 'Escape')
    for (const menu of document.querySelectorAll('.menu[open]')) menu.open = false;
  const hasCommand = event.ctrlKey || event.metaKey;
  const isTyping = target.closest('input, textarea, select') !== null;
  if (hasCommand ? key !== 'k' : key !== '/' || isTyping) return;
  event.preventDefault();
  document.querySelector('.find [type=search]').focus();
});

// Local time is in the time zone of the browser; if that is UTC, there is nothing to choose.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const link of document.querySelectorAll('[data-local-zone]')) {
  const address = new URL(link.href);
  address.searchParams.set('zone', zone);
  link.href = address.href;
  link.hidden = zone === 'UTC';
}
