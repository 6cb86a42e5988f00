// Keyboard shortcuts of the inspector, and menus that close by themselves. Without this script a menu is closed by
// its own button.
document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (key === 'Escape') closeMenus();
  const hasCommand = event.ctrlKey || event.metaKey;
  const isTyping = target.closest('input, textarea, select') !== null;
  if (hasCommand ? key !== 'k' : key !== '/' || isTyping) return;
  event.preventDefault();
  document.querySelector('.find [type=search]').focus();
});

document.addEventListener('click', ({ target }) => closeMenus(target));

/** Closes all menus but the one with an element. */
function closeMenus(kept = null) {
  for (const menu of document.querySelectorAll('.menu[open]')) {
    if (menu.contains(kept)) continue;
    // Otherwise the focus would be lost with the part that has it.
    if (menu.contains(document.activeElement)) menu.querySelector('summary').focus();
    menu.open = false;
  }
}
