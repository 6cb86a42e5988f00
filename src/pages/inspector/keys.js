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
