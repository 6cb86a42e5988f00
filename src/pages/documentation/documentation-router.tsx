import express, { type RequestHandler } from 'express';
import { DEFAULT_KEY } from '../../config/access.ts';
import type { Settings } from '../../config/settings.ts';
import { parseKey } from '../../store/worlds.ts';
import { sendAnswer } from '../answer.ts';
import { assetUrl } from '../assets.ts';
import { errorHandler, errorPage, unknownPage } from '../error-pages.tsx';
import { Button, Field, fieldText } from '../forms.tsx';
import { secureHeaders } from '../headers.ts';
import { pageGate } from '../inspector/access-gate.tsx';
import { KEY_PATTERN, linkTo } from '../inspector/inspector-request.ts';
import { Page } from '../page.tsx';
import type { PagesOptions } from '../pages.ts';
import { DOCUMENTATION_PATH } from '../paths.ts';
import { isGuarded, serveDocument } from './served-document.ts';

const DOCUMENTS = {
  openapi: {
    path: '/',
    title: 'Service',
    heading: 'Service API',
    about: "Calls go to this emulator, into the key's world.",
  },
  control: {
    path: '/control',
    title: 'Control API',
    heading: 'Control API of the emulator',
    about: "Calls control the key's world; if a token is set, each needs X-Emulator-Admin.",
  },
} as const;

type DocumentName = keyof typeof DOCUMENTS;
const NAMES = Object.keys(DOCUMENTS) as DocumentName[];

/** Serves the interactive API documentation, and the OpenAPI documents. @assumes A-1401 */
export function createDocumentationRouter(options: PagesOptions): express.Router {
  const { settings } = options;
  const router = express.Router();
  router.use(secureHeaders, express.urlencoded({ extended: false, limit: '4kb' }));
  router.use(pageGate(options));
  for (const name of NAMES) {
    router.get(DOCUMENTS[name].path, showDocument(name, settings));
    router.get(`/${name}.json`, serveDocument(name, options));
  }
  router.use(unknownPage(settings), errorHandler(options));
  return router;
}

/** Shows a document. Its calls use the world of the key in `?key=`. */
function showDocument(name: DocumentName, settings: Settings): RequestHandler {
  const common = { name, isReadOnly: settings.ui !== 'on', hasToken: isGuarded(name, settings) };
  return ({ query }, response) => {
    const key = fieldText(query, 'key') || DEFAULT_KEY;
    const page = <DocumentationPage {...common} documentKey={key} />;
    sendAnswer(response, parseKey(key) ? page : errorPage('unknown', settings));
  };
}

interface DocumentationProps {
  readonly name: DocumentName;
  readonly documentKey: string;
  readonly isReadOnly: boolean;
  /** Whether calls need the control token in addition to the key. */
  readonly hasToken: boolean;
}

function DocumentationPage(props: DocumentationProps) {
  const { name, documentKey, isReadOnly, hasToken } = props;
  return (
    <Page
      title={`${DOCUMENTS[name].title} · API documentation`}
      width="wide"
      styles={['swagger-ui.css', 'documentation.css']}
      scripts={['documentation.js']}
      navigation={<Navigation name={name} documentKey={documentKey} />}
    >
      <h1>{DOCUMENTS[name].heading}</h1>
      <p>
        {DOCUMENTS[name].about} OpenAPI document:{' '}
        <a href={`${DOCUMENTATION_PATH}/${name}.json`}>{name}.json</a>.
      </p>
      {!isReadOnly && (
        <form method="get" action={DOCUMENTATION_PATH + DOCUMENTS[name].path} class="credentials">
          <Field label="Key" name="key" value={documentKey} pattern={KEY_PATTERN} required />
          <Button isSecondary>Use this key</Button>
          {hasToken && <Field label="Control API token" id="token" type="password" />}
        </form>
      )}
      <h2>Operations</h2>
      <noscript>
        <p>This list needs JavaScript.</p>
      </noscript>
      <div
        id="documentation"
        data-bundle={assetUrl('swagger-ui.js')}
        data-document={`${DOCUMENTATION_PATH}/${name}.json?key=${documentKey}`}
        data-key={documentKey}
        data-read-only={isReadOnly ? '' : undefined}
      />
    </Page>
  );
}

function Navigation(props: Pick<DocumentationProps, 'name' | 'documentKey'>) {
  const { name, documentKey } = props;
  const search = documentKey === DEFAULT_KEY ? '' : `?key=${documentKey}`;
  return (
    <nav aria-label="Documents">
      <ul>
        {NAMES.map((each) => (
          <li key={each}>
            <a
              href={`${DOCUMENTATION_PATH}${DOCUMENTS[each].path.replace(/\/$/, '')}${search}`}
              aria-current={each === name ? 'page' : undefined}
            >
              {DOCUMENTS[each].title}
            </a>
          </li>
        ))}
        <li>
          <a href={linkTo('', { key: documentKey })}>Inspector</a>
        </li>
      </ul>
    </nav>
  );
}
