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

// Shows only the entries with all words that are typed into the filter: in their text, or in what they are also found by.
const filter = document.querySelector('[data-filters]');
const entries = [...document.querySelectorAll('[data-filter]')];

filter?.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const entry of entries) {
    const text = `${entry.dataset.filter} ${entry.textContent}`.toLowerCase();
    entry.hidden = !words.every((word) => text.includes(word));
  }
  for (const group of document.querySelectorAll('[data-group]'))
    group.hidden = !group.querySelector('[data-filter]:not([hidden])');
  document.querySelector('[data-none]').hidden = entries.some((entry) => !entry.hidden);
});
