import type { RequestHandler } from 'express';
import { contextOf } from '../../control/context.ts';
import { baseUrlOf } from '../../http/incoming.ts';
import type { RecordMove } from '../../http/log/own-move.ts';
import type { Context } from '../../resources/context.ts';
import type { Tables } from '../../store/schema.ts';
import { answerPage, type PageAnswer } from '../answer.ts';
import { errorPage } from '../error-pages.tsx';
import type { FormBody } from '../forms.tsx';
import type { PagesOptions } from '../pages.ts';

/** A request to the page of a link, with the record that the token belongs to. */
export interface LinkRequest<R> {
  readonly record: R;
  readonly context: Context;
  readonly query: FormBody;
  readonly body: FormBody;
  readonly recordMove: RecordMove;
}

/** Serves a page whose path ends with a token. It searches all worlds for the token; 404 if none has it. */
export function linkedPage<R extends { readonly owner: string }>(
  { worlds, settings, clocks, life, recordMove }: PagesOptions,
  find: (tables: Tables, token: string) => R | undefined,
  step: (request: LinkRequest<R>) => PageAnswer,
): RequestHandler {
  return answerPage({ life }, ({ params, headers, secure, query, body }) => {
    const token = params['token'] as string;
    for (const world of worlds.values()) {
      if (!find(world.tables, token)) continue;
      clocks.running.runDueJobs(world);
      // The due jobs can change or remove it.
      const record = find(world.tables, token);
      if (!record) break;
      const baseUrl = baseUrlOf(settings, headers.host, secure);
      const context = contextOf({ world, owner: record.owner, settings, baseUrl });
      return step({ record, context, query, body, recordMove });
    }
    return errorPage('unknown', settings);
  });
}
