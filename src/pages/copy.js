// Copies the `data-copy` text of a clicked button, or the code beside it, to the clipboard.
document.addEventListener('click', (event) => {
  const button = event.target.closest('.copy');
  if (button) void copy(button);
});

const SHOWN = 1_500;

async function copy(button) {
  const code = button.parentElement.querySelector('pre');
  await navigator.clipboard.writeText(button.dataset.copy ?? code.textContent);
  const label = button.innerHTML;
  button.textContent = 'Copied';
  setTimeout(() => {
    button.innerHTML = label;
  }, SHOWN);
}
