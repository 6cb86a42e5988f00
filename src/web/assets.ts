import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import express from 'express';

/** The files that pages load, by the name they are served under. Nothing comes from elsewhere. */
const require = createRequire(import.meta.url);
const own = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Files of packages, which the build copies beside the others. */
export const PACKAGE_FILES = {
  'swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
  'swagger-ui.js': 'swagger-ui-dist/swagger-ui-bundle.js',
} as const;

const ofPackage = (name: keyof typeof PACKAGE_FILES) => () =>
  existsSync(own(name)) ? own(name) : require.resolve(PACKAGE_FILES[name]);

const FILES = {
  'favicon.svg': () => own('./favicon.svg'),
  'tokens.css': () => own('./styles/tokens.css'),
  'base.css': () => own('./styles/base.css'),
  'parts.css': () => own('./styles/parts.css'),
  'table.css': () => own('./styles/table.css'),
  'hosted.css': () => own('./styles/hosted.css'),
  'front.css': () => own('./front/front.css'),
  'inspector.css': () => own('./inspector/inspector.css'),
  'card-fields.js': () => own('./hosted/card-fields.js'),
  'copy.js': () => own('./copy.js'),
  'keys.js': () => own('./inspector/keys.js'),
  'live.js': () => own('./inspector/live.js'),
  'swagger-ui.css': ofPackage('swagger-ui.css'),
  'swagger-ui.js': ofPackage('swagger-ui.js'),
  'documentation.css': () => own('./documentation/documentation.css'),
  'documentation.js': () => own('./documentation/page.js'),
} as const satisfies Readonly<Record<string, () => string>>;

export type AssetName = keyof typeof FILES;

const ASSETS_PATH = '/hosted/assets';

/** The address of a file that pages load. */
export const assetUrl = (name: AssetName): string => `${ASSETS_PATH}/${name}`;

/** Serves the files that pages load, from memory. */
export function assetsRouter(): express.Router {
  const texts = new Map<string, string>();
  const router = express.Router();
  router.get('/:name', (request, response, next) => {
    const name = request.params['name'] as string;
    if (!Object.hasOwn(FILES, name)) return next();
    const text = texts.get(name) ?? readFileSync(FILES[name as AssetName](), 'utf8');
    texts.set(name, text);
    response.set('Cache-Control', 'public, max-age=300');
    response.type(name).send(text);
  });
  return router;
}
