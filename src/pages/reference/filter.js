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
