import type { ErrorRequestHandler } from 'express';
import type { Logger } from '../state/log.ts';
import { type Answer, sendAnswer } from './answer.ts';
import { Page } from './page.tsx';

interface ErrorPage {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

/** Pages that say no. None tells whether a link ever existed, or what went wrong inside. */
const ERROR_PAGES = {
  unknown: {
    status: 404,
    title: 'Page not found',
    text: 'Nothing is at this address. The link may be incomplete.',
  },
  foreign: {
    status: 403,
    title: 'Request refused',
    text: 'This form was sent from another site. Open the link and send it from there.',
  },
  unreadable: {
    status: 400,
    title: 'Request not understood',
    text: 'What was sent cannot be read. Go back and try again.',
  },
  broken: {
    status: 500,
    title: 'Something went wrong',
    text: 'Nothing was changed. Try again.',
  },
} as const satisfies Readonly<Record<string, ErrorPage>>;

export function errorPage(name: keyof typeof ERROR_PAGES): Answer {
  const { status, title, text } = ERROR_PAGES[name];
  const page = (
    <Page title={title}>
      <article>
        <h1>{title}</h1>
        <p>{text}</p>
      </article>
    </Page>
  );
  return { status, page };
}

/** Answers what a page failed with: a request that cannot be read, or a defect, which is logged. */
export function errorHandler(log: Logger): ErrorRequestHandler {
  return (error: { readonly status?: number }, _request, response, next) => {
    if (response.headersSent) return next(error);
    const isUnreadable = typeof error.status === 'number' && error.status < 500;
    if (!isUnreadable) log.error('Defect in a page', error);
    sendAnswer(response, errorPage(isUnreadable ? 'unreadable' : 'broken'));
  };
}
