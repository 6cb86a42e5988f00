import { createHash } from 'node:crypto';
import { html, Markup } from './markup.ts';
import { STYLE } from './style.ts';

/**
 * A complete HTML page without external files. Its only script is the given constant, which the content security policy
 * allows by its digest.
 */
export function wholePage(
  title: string,
  content: Markup | readonly Markup[],
  script?: string,
): string {
  const page = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'${policyOf(script)}">
<title>${title}</title>
<style>${STYLE}</style>
<main>
${content}
</main>
${script === undefined ? undefined : Markup.of([`<script>${script}</script>`], [])}
</html>
`;
  return page.toString();
}

function policyOf(script: string | undefined): string {
  if (script === undefined) return '';
  return `; script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}

export const section = (title: string, content: Markup): Markup =>
  html`<section><h2>${title}</h2>${content}</section>`;

/** A table, or the text `empty` when it has no rows. */
export function htmlTable(
  heads: readonly string[],
  rows: readonly Markup[],
  empty: string,
  kind = 'list',
): Markup {
  if (rows.length === 0) return html`<p class="faint">${empty}</p>`;
  return html`<div class="wide" tabindex="0"><table class="${kind}"><thead><tr>${heads.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
}
