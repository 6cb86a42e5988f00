// Shows only the entries whose words contain what is typed into the filter.
const filter = document.querySelector('[data-filters]');
const entries = [...document.querySelectorAll('[data-filter]')];

filter?.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const entry of entries)
    entry.hidden = !words.every((word) => entry.dataset.filter.includes(word));
  for (const group of document.querySelectorAll('[data-group]'))
    group.hidden = !group.querySelector('[data-filter]:not([hidden])');
  document.querySelector('[data-none]').hidden = entries.some((entry) => !entry.hidden);
});
