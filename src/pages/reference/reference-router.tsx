import express, { type Request, type RequestHandler } from 'express';
import { DEFAULT_KEY } from '../../config/access.ts';
import { loadDocument } from '../../spec/document.ts';
import { parseKey } from '../../store/worlds.ts';
import {
  errorHandler,
  errorPage,
  type PageAnswer,
  secureHeaders,
  sendAnswer,
  unknownPage,
} from '../answer.tsx';
import { fieldText } from '../forms.tsx';
import { pageGate } from '../inspector/access-gate.tsx';
import type { PagesOptions } from '../page-control.ts';
import { REFERENCE_PATHS } from '../paths.ts';
import { OperationPage, OperationsPage } from './operation-pages.tsx';
import { AssumptionsPage } from './reference-page.tsx';
import { documentFor, serveDocument } from './served-document.ts';

/** Serves the API reference, and the OpenAPI documents. @assumes A-1401 */
export function createReferenceRouter(options: PagesOptions): express.Router {
  const { settings } = options;
  const router = express.Router();
  const at =
    (show: (worldKey: string, request: Request) => PageAnswer): RequestHandler =>
    (request, response) => {
      const key = fieldText(request.query, 'key') || DEFAULT_KEY;
      sendAnswer(response, parseKey(key) ? show(key, request) : errorPage('unknown', settings));
    };
  router.use(secureHeaders, express.urlencoded({ extended: false, limit: '4kb' }));
  router.use(pageGate(options));
  router.get(
    REFERENCE_PATHS.assumptions,
    at((worldKey) => <AssumptionsPage worldKey={worldKey} />),
  );
  router.get(
    REFERENCE_PATHS.operation,
    at((worldKey, request) => showOperation(options, worldKey, request)),
  );
  for (const name of NAMES) {
    const document = loadDocument(name);
    router.get(
      REFERENCE_PATHS[name],
      at((worldKey) => <OperationsPage page={name} document={document} worldKey={worldKey} />),
    );
    router.get(`/${name}.json`, serveDocument(name, options));
  }
  router.use(unknownPage(settings), errorHandler(options));
  return router;
}

const NAMES = ['openapi', 'control'] as const;

function showOperation(options: PagesOptions, worldKey: string, { params }: Request): PageAnswer {
  const { settings } = options;
  for (const name of NAMES) {
    const operation = loadDocument(name).operations.get(String(params['id']));
    if (!operation) continue;
    const props = { operation, worldKey, canSend: name === 'openapi' };
    return <OperationPage {...props} document={documentFor(name, options, worldKey)} />;
  }
  return errorPage('unknown', settings);
}
