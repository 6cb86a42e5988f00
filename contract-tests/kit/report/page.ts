import { html, type Markup } from './markup.ts';
import { STYLE } from './style.ts';

/** A page that needs nothing else: no script, no other file. */
export function wholePage(title: string, content: Markup | readonly Markup[]): string {
  const page = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${STYLE}</style>
<main>
${content}
</main>
</html>
`;
  return page.toString();
}

/** A part of a page under a heading. */
export function section(title: string, content: Markup): Markup {
  return html`<section><h2>${title}</h2>${content}</section>`;
}

/** A table, or the word for none where it has no rows. */
export function table(
  heads: readonly string[],
  rows: readonly Markup[],
  empty: string,
  kind = 'list',
): Markup {
  if (rows.length === 0) return html`<p class="faint">${empty}</p>`;
  return html`<div class="wide" tabindex="0"><table class="${kind}"><thead><tr>${heads.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
}
