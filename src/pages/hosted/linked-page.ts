import type { RequestHandler } from 'express';
import { contextOf } from '../../control/context.ts';
import type { Context } from '../../resources/context.ts';
import { readConsistently } from '../../store/consistent-reads.ts';
import type { LinkRow } from '../../store/records.ts';
import { answerPage, errorPage, type PageAnswer } from '../answer.tsx';
import type { FormBody } from '../forms.tsx';
import { controlOf, type PageControl, type PagesOptions } from '../page-control.ts';

/** A request to the page of a link. */
export interface LinkRequest {
  readonly link: LinkRow;
  readonly context: Context;
  readonly query: FormBody;
  readonly body: FormBody;
  /** The context for calls of the control API. */
  readonly control: PageControl;
}

/** Serves a page whose path ends with a token. It searches all worlds for the token; 404 if none has it. */
export function linkedPage(
  options: PagesOptions,
  kind: LinkRow['kind'],
  step: (request: LinkRequest) => PageAnswer | Promise<PageAnswer>,
): RequestHandler {
  const { worlds, settings, clocks } = options;
  return answerPage(options, (request) => {
    const { method, query, body } = request;
    const token = request.params['token'] as string;
    for (const world of worlds.values()) {
      const { links } = world.tables;
      if (links.get(token)?.kind !== kind) continue;
      clocks.running.runDueJobs(world);
      // The due jobs can change it.
      const link = links.get(token) as LinkRow;
      const control = controlOf(options, request, world, link.owner);
      const answer = () => step({ link, context: contextOf(control), query, body, control });
      return method === 'GET' ? readConsistently(world, answer) : answer();
    }
    return errorPage('unknown', settings);
  });
}
