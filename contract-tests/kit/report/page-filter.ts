import { html, type Markup } from './markup.ts';

/** The values of a row that the filter compares. */
export interface RowFacts {
  readonly status: string;
  /** The operations as requests, such as `GET /assets`. */
  readonly requests: readonly string[];
}

/** The HTML attributes of a row that the filter can hide. */
export const rowFacts = ({ status, requests }: RowFacts): Markup =>
  html` data-status="${status}" data-requests="${requests.join('\n')}"`;

/**
 * Shows the filter, which is hidden without JavaScript, and hides rows that do not match. The target of a link is
 * always shown. The page can be opened from disk, so the filter is not stored in the URL.
 */
export const FILTER_SCRIPT = `
const form = document.getElementById('filter');
const rows = [...document.querySelectorAll('tr[data-status]')];
const shown = document.getElementById('shown');
function apply() {
  const { status, request, words } = form.elements;
  const wanted = words.value.trim().toLowerCase();
  const isNarrow = status.value !== '' || request.value !== '' || wanted !== '';
  for (const row of rows) {
    const { status: own, requests } = row.dataset;
    row.hidden =
      (status.value !== '' && own !== status.value) ||
      (request.value !== '' && !requests.split('\\n').includes(request.value)) ||
      !row.textContent.toLowerCase().includes(wanted);
  }
  const fitting = rows.filter((row) => !row.hidden);
  shown.textContent = isNarrow ? fitting.length + ' of ' + rows.length + ' rows' : rows.length + ' rows';
  for (const part of document.querySelectorAll('details.rows'))
    if (isNarrow) part.open = part.querySelector('tr[data-status]:not([hidden])') !== null;
}
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.closest('tr[hidden]')) { form.reset(); apply(); }
  const part = target.closest('details');
  if (part) part.open = true;
  target.scrollIntoView();
}
form.hidden = false;
form.addEventListener('input', apply);
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('reset', () => setTimeout(apply));
addEventListener('hashchange', reveal);
apply();
reveal();
`;

/** The filter form, hidden until the script runs. */
export function filterForm(all: readonly RowFacts[]): Markup {
  const counts = new Map<string, number>();
  for (const { status } of all) counts.set(status, (counts.get(status) ?? 0) + 1);
  const requests = [...new Set(all.flatMap((row) => row.requests))].filter((one) => one !== '');
  const option = (value: string, text: string) => html`<option value="${value}">${text}</option>`;
  return html`<form id="filter" hidden>
<label>Status <select name="status">${option('', 'any')}${[...counts].map(([status, count]) =>
    option(status, `${status.replaceAll('_', ' ')} (${count})`),
  )}</select></label>
<label>Operation <select name="request">${option('', 'any')}${requests
    .sort(byPath)
    .map((request) => option(request, request))}</select></label>
<label>Requirement, check or words <input type="search" name="words" autocomplete="off"></label>
<button type="reset">Show all</button> <output id="shown" class="faint"></output>
</form>`;
}

const byPath = (one: string, other: string): number => {
  const path = (request: string) => request.split(' ').reverse().join(' ');
  return path(one) < path(other) ? -1 : 1;
};
