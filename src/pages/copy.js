// Copies the `data-copy` text of a clicked button to the clipboard.
document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-copy]');
  if (button) void copy(button);
});

const SHOWN = 1_500;

async function copy(button) {
  await navigator.clipboard.writeText(button.dataset.copy);
  const label = button.innerHTML;
  button.textContent = 'Copied';
  setTimeout(() => {
    button.innerHTML = label;
  }, SHOWN);
}
