import { readFileSync } from 'node:fs';
import express, { type RequestHandler } from 'express';
import type { VNode } from 'preact';
import type { Json } from '../../spec/document.ts';
import type { Logger } from '../../state/log.ts';
import type { Settings } from '../../state/settings.ts';
import { answering } from '../answer.ts';
import { assetUrl } from '../assets.ts';
import { errorHandler, errorPage } from '../error-pages.tsx';
import { secureHeaders } from '../headers.ts';
import { pageGate } from '../inspector/gate.tsx';
import { DEFAULT_KEY } from '../inspector/visit.ts';
import { Page } from '../page.tsx';
import { refuseForeignPosts } from '../same-site.ts';
import { DOCUMENTATION_PATH } from './documentation.ts';

/** The documents, each with the page that shows it. */
const DOCUMENTS = {
  openapi: {
    path: '/',
    title: 'Service',
    heading: 'Interface of the service',
    about: 'Calls go to this emulator, into the world of the key.',
  },
  control: {
    path: '/control',
    title: 'Control interface',
    heading: 'Control interface of the emulator',
    about: 'Calls steer the world of the key; where a token is set, each needs X-Emulator-Admin.',
  },
} as const;

type DocumentName = keyof typeof DOCUMENTS;
const NAMES = Object.keys(DOCUMENTS) as DocumentName[];

/** Interactive pages of the interfaces' documents, and the documents themselves. @assumes A-1401 */
export function createDocumentationRouter(settings: Settings, log: Logger): express.Router {
  const router = express.Router();
  router.use(secureHeaders);
  router.use(refuseForeignPosts(settings.public_url));
  router.use(express.urlencoded({ extended: false, limit: '4kb' }));
  router.use(...pageGate(settings));
  for (const name of NAMES) {
    const isReadOnly = settings.ui !== 'on';
    const page = <DocumentationPage name={name} isReadOnly={isReadOnly} />;
    router.get(
      DOCUMENTS[name].path,
      answering(() => ({ page })),
    );
    router.get(`/${name}.json`, serveDocument(name, settings));
  }
  router.use(answering(() => errorPage('unknown')));
  router.use(errorHandler(log));
  return router;
}

/** Answers a document as it holds here: under the emulator's own address and with its header names. */
function serveDocument(name: DocumentName, { service_name }: Settings): RequestHandler {
  let text: string | undefined;
  return (_request, response) => {
    text ??= readText(name).replaceAll('X-Service-', `X-${service_name}-`);
    response.type('json').send(text);
  };
}

function readText(name: DocumentName): string {
  const text = readFileSync(new URL(`../../spec/${name}.json`, import.meta.url), 'utf8');
  return JSON.stringify({ ...(JSON.parse(text) as Json), servers: [{ url: '/' }] });
}

function DocumentationPage({
  name,
  isReadOnly,
}: {
  readonly name: DocumentName;
  readonly isReadOnly: boolean;
}): VNode {
  return (
    <Page
      title={`${DOCUMENTS[name].title} · API documentation`}
      width="wide"
      styles={['swagger-ui.css', 'documentation.css']}
      scripts={['documentation.js']}
      navigation={<Navigation name={name} />}
    >
      <h1>{DOCUMENTS[name].heading}</h1>
      <p>
        {DOCUMENTS[name].about} The document itself:{' '}
        <a href={`${DOCUMENTATION_PATH}/${name}.json`}>{name}.json</a>.
      </p>
      <h2>Operations</h2>
      <noscript>
        <p>This list needs script.</p>
      </noscript>
      <div
        id="documentation"
        data-bundle={assetUrl('swagger-ui.js')}
        data-document={`${DOCUMENTATION_PATH}/${name}.json`}
        data-key={DEFAULT_KEY}
        data-read-only={isReadOnly ? '' : undefined}
      />
    </Page>
  );
}

function Navigation({ name }: { readonly name: DocumentName }): VNode {
  return (
    <nav aria-label="Documents">
      <ul>
        {NAMES.map((each) => (
          <li key={each}>
            <a
              href={`${DOCUMENTATION_PATH}${DOCUMENTS[each].path.replace(/\/$/, '')}`}
              aria-current={each === name ? 'page' : undefined}
            >
              {DOCUMENTS[each].title}
            </a>
          </li>
        ))}
        <li>
          <a href="/_emulator/ui">Inspector</a>
        </li>
      </ul>
    </nav>
  );
}
