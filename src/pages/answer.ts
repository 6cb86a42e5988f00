import type { Request, RequestHandler, Response } from 'express';
import { isValidElement, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { PagesOptions } from './pages.ts';

/** The response of a page: a page with status 200 or another status, a redirect (303), or a file. */
export type PageAnswer =
  | VNode
  | { readonly text: string; readonly type: 'csv' | 'json' }
  | { readonly page: VNode; readonly status: number }
  | { readonly location: string };

/** Sends the result of a step. It waits until the changes are on disk, if the settings ask for that. */
export function answerPage(
  { life }: Pick<PagesOptions, 'life'>,
  step: (request: Request) => PageAnswer | Promise<PageAnswer>,
): RequestHandler {
  return async (request, response) => {
    // Rendered before it waits, as it reads the world, which may be replaced meanwhile.
    const send = sending(await step(request));
    await life.durable();
    send(response);
  };
}

/** Rejects a request that changes something while too many earlier changes are not written to disk. */
export function onceThereIsRoom({ life }: Pick<PagesOptions, 'life'>): RequestHandler {
  return async ({ method }, _response, next) => {
    if (method !== 'GET') await life.room();
    next();
  };
}

export function sendAnswer(response: Response, answer: PageAnswer): void {
  sending(answer)(response);
}

/** Renders an answer; returns how to send it. */
function sending(answer: PageAnswer): (response: Response) => void {
  if (isValidElement(answer)) return sendingPage(200, answer);
  if ('page' in answer) return sendingPage(answer.status, answer.page);
  if ('location' in answer)
    return (response) => void response.status(303).location(answer.location).end();
  const { type, text } = answer;
  return (response) => void response.type(type).send(text);
}

function sendingPage(status: number, page: VNode): (response: Response) => void {
  const html = renderPage(page);
  return (response) => void response.status(status).type('html').send(html);
}

/** Sets the status of a page that has none. Other responses stay as they are. */
export const withStatus = (status: number, answer: PageAnswer): PageAnswer =>
  isValidElement(answer) ? { status, page: answer } : answer;

/** Redirects to an address, or shows a page if there is no address. */
export const goTo = (address: string | undefined, otherwise: VNode): PageAnswer =>
  address === undefined ? otherwise : { location: address };

/** Renders a page as HTML. All text and attributes are escaped; pages have no other way to insert markup. */
export const renderPage = (page: VNode): string => `<!doctype html>\n${renderToString(page)}\n`;

/**
 * The Content-Security-Policy of a page: it loads only its own files, and nobody can frame it. A form can redirect
 * to a URL that the integrator gave. Browsers check every redirect after a form against `form-action`, so pages
 * with such forms set `leaves`.
 */
function contentPolicy(leaves: boolean): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    `form-action 'self'${leaves ? ' http: https:' : ''}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Sets the security headers of every page. URLs contain tokens, so they are not cached or sent to other origins. They
 * are sent to the own origin, because otherwise browsers send `Origin: null` with forms.
 */
export const secureHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'Content-Security-Policy': contentPolicy(false),
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  });
  next();
};

/** Allows the forms of a page to redirect to other origins. */
export const allowLeaving: RequestHandler = (_request, response, next) => {
  response.set('Content-Security-Policy', contentPolicy(true));
  next();
};
