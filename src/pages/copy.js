// Copies the `data-copy` text of a clicked button, or the code beside it, to the clipboard.
document.addEventListener('click', (event) => {
  const button = event.target.closest('.copy');
  if (button) void copy(button);
});

const SHOWN = 1_500;

async function copy(button) {
  const code = button.parentElement.querySelector('pre');
  // A second click finds the word of the first instead of the label.
  button.dataset.label ??= button.innerHTML;
  const { label } = button.dataset;
  try {
    await navigator.clipboard.writeText(button.dataset.copy ?? code.textContent);
    button.textContent = 'Copied';
  } catch {
    // The browser allows it only by https or on this machine, and only with the user's consent.
    button.textContent = 'Not allowed';
  }
  setTimeout(() => {
    button.innerHTML = label;
  }, SHOWN);
}
