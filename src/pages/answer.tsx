import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { isValidElement, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Settings } from '../config/settings.ts';
import { RETRY_SOON } from '../http/error-response.ts';
import { DataError } from '../store/storage/data-error.ts';
import { WorldClosed } from '../store/world.ts';
import { CardPage } from './page.tsx';
import type { PagesOptions } from './page-control.ts';
import { WaysOn } from './parts.tsx';
import { DOCUMENTATION_PATH, INSPECTOR_PATH } from './paths.ts';

/** The response of a page: a page with status 200 or another status, a redirect (303), or a file. */
export type PageAnswer =
  | VNode
  | { readonly text: string; readonly type: 'csv' | 'json' }
  | { readonly page: VNode; readonly status: number }
  | { readonly location: string };

/** Sends the result of a step. It waits until the changes are on disk, if the settings ask for that. */
export function answerPage(
  { worldManager }: Pick<PagesOptions, 'worldManager'>,
  step: (request: Request) => PageAnswer | Promise<PageAnswer>,
): RequestHandler {
  return async (request, response) => {
    // Rendered before it waits, as it reads the world, which may be replaced meanwhile.
    const send = sending(await step(request));
    await worldManager.durable();
    send(response);
  };
}

/** Rejects a request that changes something while changes cannot be kept. */
export function refuseUnkept({ worldManager }: Pick<PagesOptions, 'worldManager'>): RequestHandler {
  return ({ method }, _response, next) =>
    next(method === 'GET' ? undefined : worldManager.writeFailure());
}

export function sendAnswer(response: Response, answer: PageAnswer): void {
  sending(answer)(response);
}

/** Renders an answer; returns how to send it. */
function sending(answer: PageAnswer): (response: Response) => void {
  if ('location' in answer)
    return (response) => void response.status(303).location(answer.location).end();
  if ('text' in answer) return (response) => void response.type(answer.type).send(answer.text);
  const { status, page } = 'page' in answer ? answer : { status: 200, page: answer };
  const html = renderPage(page);
  return (response) => void response.status(status).type('html').send(html);
}

/** Sets the status of a page that has none. Other responses stay as they are. */
export const withStatus = (status: number, answer: PageAnswer): PageAnswer =>
  isValidElement(answer) ? { status, page: answer } : answer;

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

/** The error pages. None of them reveals whether a link ever existed, or details of a defect. */
const ERROR_PAGES = {
  unknown: {
    status: 404,
    title: 'Page not found',
    text: 'There is nothing at this address. The link may be incomplete, or a reset may have removed the page.',
  },
  wrongKey: {
    status: 404,
    title: 'Invalid key',
    text: 'A key is key_test_ or key_live_ and the name of a world: lowercase letters, digits and hyphens.',
  },
  unreadable: {
    status: 400,
    title: 'Bad request',
    text: 'The request could not be read. Go back and try again.',
  },
  unkept: {
    status: 503,
    title: 'Not saved',
    text: 'The change could not be saved. Try again.',
  },
  broken: { status: 500, title: 'Something went wrong', text: 'Nothing was changed. Try again.' },
} as const;

const WAYS_ON = {
  'Front page': '/',
  Inspector: INSPECTOR_PATH,
  'API reference': DOCUMENTATION_PATH,
};

/** An error page. It links to the other pages of the emulator, unless these are off. */
export function errorPage(
  name: keyof typeof ERROR_PAGES,
  { ui }: Pick<Settings, 'ui'>,
): PageAnswer {
  const { status, title, text } = ERROR_PAGES[name];
  const page = (
    <CardPage title={title}>
      <p>{text}</p>
      {ui !== 'off' && <WaysOn ways={WAYS_ON} />}
    </CardPage>
  );
  return { status, page };
}

export const unknownPage =
  (settings: Settings): RequestHandler =>
  (_request, response) =>
    sendAnswer(response, errorPage('unknown', settings));

/** Shows the page for an error: a bad request, a change that is not kept, or a defect, which is logged. */
export function errorHandler({
  log,
  settings,
}: Pick<PagesOptions, 'log' | 'settings'>): ErrorRequestHandler {
  return (error: { readonly status?: number }, _request, response, next) => {
    if (response.headersSent) return next(error);
    const kind = kindOf(error);
    if (kind === 'broken') log.error('Defect in a page', error);
    if (kind === 'unkept') response.set(RETRY_SOON);
    sendAnswer(response, errorPage(kind, settings));
  };
}

function kindOf(error: { readonly status?: number }): keyof typeof ERROR_PAGES {
  if (error instanceof WorldClosed) return 'unknown';
  if (typeof error.status === 'number' && error.status < 500) return 'unreadable';
  return error instanceof DataError ? 'unkept' : 'broken';
}
