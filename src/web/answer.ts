import type { Request, RequestHandler, Response } from 'express';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Durable } from '../state/durable.ts';
import type { PagesOptions } from './pages.ts';

/** What a step of a page comes to: a page to show, an address to go to, as it was given, or a file. */
export type PageAnswer =
  | { readonly text: string; readonly type: 'csv' | 'json' | 'yaml'; readonly file?: string }
  | { readonly page: VNode; readonly status?: number }
  | { readonly location: string };

/** A route whose work is to answer a value. */
export function answerPage(
  step: (request: Request, response: Response) => PageAnswer,
): RequestHandler {
  return (request, response) => sendOnceKept(response, step(request, response));
}

/**
 * From here on the answers of steps wait until what was changed is on disk, where that is wanted, and nothing changes
 * that could not be kept.
 */
export function onceKept({
  durable,
  room,
}: Pick<PagesOptions, 'durable' | 'room'>): RequestHandler {
  return async (request, response, next) => {
    response.locals['durable'] = durable;
    if (request.method !== 'GET') await room();
    next();
  };
}

/** Sends the answer of a step, which may have changed something. */
export function sendOnceKept(response: Response, answer: PageAnswer): void | Promise<void> {
  const durable = response.locals['durable'] as Durable | undefined;
  const kept = durable?.();
  return kept ? kept.then(() => sendAnswer(response, answer)) : sendAnswer(response, answer);
}

export function sendAnswer(response: Response, answer: PageAnswer): void {
  if ('location' in answer) response.status(303).location(answer.location).end();
  else if ('text' in answer) {
    if (answer.file !== undefined) response.attachment(answer.file);
    response.type(answer.type).send(answer.text);
  } else
    response
      .status(answer.status ?? 200)
      .type('html')
      .send(renderPage(answer.page));
}

/** Goes to an address where one is known, else shows a page in its place. */
export function goTo(address: string | undefined, otherwise: VNode): PageAnswer {
  return address === undefined ? { page: otherwise } : { location: address };
}

/**
 * The text of a page. Everything that stands in it as text or attribute is escaped; no page has another
 * way to put markup in.
 */
export function renderPage(page: VNode): string {
  return `<!doctype html>\n${renderToString(page)}\n`;
}
