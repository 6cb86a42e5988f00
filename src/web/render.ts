import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/**
 * The text of a page. Everything that stands in it as text or attribute is escaped; no page has another
 * way to put markup in.
 */
export function renderPage(page: VNode): string {
  return `<!doctype html>\n${renderToString(page)}\n`;
}
