import type { RequestHandler } from 'express';
import type { Logger } from '../../config/log.ts';
import type { Settings } from '../../config/settings.ts';

/** Where the documentation of the interfaces stands. */
export const DOCUMENTATION_PATH = '/_emulator/docs';

/** The documentation of the interfaces, loaded when it is first asked for. */
export function createDocumentation(settings: Settings, log: Logger): RequestHandler {
  let router: Promise<RequestHandler> | undefined;
  return (request, response, next) => {
    router ??= import('./documentation-router.tsx').then(({ createDocumentationRouter }) =>
      createDocumentationRouter(settings, log),
    );
    router.then((handle) => handle(request, response, next), next);
  };
}
