import type { Request, RequestHandler, Response } from 'express';
import { isValidElement, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { PagesOptions } from './pages.ts';

/** What a page responds with: itself with status 200 or another, an address to go to, as it was given, or a file. */
export type PageAnswer =
  | VNode
  | { readonly text: string; readonly type: 'csv' | 'json' | 'yaml'; readonly file?: string }
  | { readonly page: VNode; readonly status: number }
  | { readonly location: string };

/** Sends what a step responds with, once all that it changed is on disk where that is wanted. */
export function answerPage(
  { life }: Pick<PagesOptions, 'life'>,
  step: (request: Request) => PageAnswer | Promise<PageAnswer>,
): RequestHandler {
  return async (request, response) => {
    const answer = await step(request);
    await life.durable();
    sendAnswer(response, answer);
  };
}

/** Lets nothing be changed that could not be written to disk. */
export function onceThereIsRoom({ life }: Pick<PagesOptions, 'life'>): RequestHandler {
  return async ({ method }, _response, next) => {
    if (method !== 'GET') await life.room();
    next();
  };
}

export function sendAnswer(response: Response, answer: PageAnswer): void {
  if (isValidElement(answer)) sendPage(response, 200, answer);
  else if ('page' in answer) sendPage(response, answer.status, answer.page);
  else if ('location' in answer) response.status(303).location(answer.location).end();
  else {
    if (answer.file !== undefined) response.attachment(answer.file);
    response.type(answer.type).send(answer.text);
  }
}

function sendPage(response: Response, status: number, page: VNode): void {
  response.status(status).type('html').send(renderPage(page));
}

/** The same with another status, where it is a page without one. */
export function withStatus(status: number, answer: PageAnswer): PageAnswer {
  return isValidElement(answer) ? { status, page: answer } : answer;
}

/** Goes to an address where one is known, else shows a page in its place. */
export function goTo(address: string | undefined, otherwise: VNode): PageAnswer {
  return address === undefined ? otherwise : { location: address };
}

/**
 * The text of a page. Everything that stands in it as text or attribute is escaped; no page has another
 * way to put markup in.
 */
export function renderPage(page: VNode): string {
  return `<!doctype html>\n${renderToString(page)}\n`;
}
