import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Settings } from '../config/settings.ts';
import { RETRY_SOON } from '../http/error-answer.ts';
import { DataError } from '../store/storage/data-error.ts';
import { WorldClosed } from '../store/world-closed.ts';
import { type PageAnswer, sendAnswer } from './answer.ts';
import { CardPage } from './page.tsx';
import type { PagesOptions } from './pages.ts';
import { WaysOn } from './parts.tsx';
import { DOCUMENTATION_PATH, INSPECTOR_PATH } from './paths.ts';

/** The error pages. None of them reveals whether a link ever existed, or details of a defect. */
const ERROR_PAGES = {
  unknown: {
    status: 404,
    title: 'Page not found',
    text: 'There is nothing at this address. The link may be incomplete, or a reset may have removed the page.',
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
