// Copies the `data-copy` text of a clicked button, or the code beside it, to the clipboard.
document.addEventListener('click', (event) => {
  const button = event.target.closest('.copy');
  if (button) void copy(button);
});

const SHOWN = 1_500;

/** The buttons that say what happened; each gets its label back. */
const saying = new WeakSet();

async function copy(button) {
  if (saying.has(button)) return;
  saying.add(button);
  const code = button.parentElement.querySelector('pre');
  const label = button.innerHTML;
  try {
    await navigator.clipboard.writeText(button.dataset.copy ?? code.textContent);
    button.textContent = 'Copied';
  } catch {
    // The browser allows it only by https or on this machine, and only with the user's consent.
    button.textContent = 'Not allowed';
  }
  setTimeout(() => {
    button.innerHTML = label;
    saying.delete(button);
  }, SHOWN);
}
