import type { RequestHandler } from 'express';
import type { InspectorOptions } from './options.ts';

/** Where the inspector stands. */
export const INSPECTOR_PATH = '/_emulator/ui';

/** The inspector, loaded when it is first asked for, as most runs of an emulator serve none of it. */
export function createInspector(options: InspectorOptions): RequestHandler {
  let router: Promise<RequestHandler> | undefined;
  return (request, response, next) => {
    router ??= import('./router.ts').then(({ createInspectorRouter }) =>
      createInspectorRouter(options),
    );
    router.then((handle) => handle(request, response, next), next);
  };
}
