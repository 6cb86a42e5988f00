import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import express from 'express';

const require = createRequire(import.meta.url);
const own = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Files of npm packages. The build copies them beside the emulator's own files. */
export const PACKAGE_FILES = {
  'idiomorph.js': 'idiomorph/dist/idiomorph.esm.js',
} as const;

const ofPackage = (name: keyof typeof PACKAGE_FILES) => () =>
  existsSync(own(name)) ? own(name) : require.resolve(PACKAGE_FILES[name]);

/** The files that pages load, by their names in URLs. Pages load nothing from other hosts. */
const FILES = {
  'favicon.svg': () => own('./favicon.svg'),
  'tokens.css': () => own('./styles/tokens.css'),
  'base.css': () => own('./styles/base.css'),
  'parts.css': () => own('./styles/parts.css'),
  'table.css': () => own('./styles/table.css'),
  'hosted.css': () => own('./styles/hosted.css'),
  'inspector.css': () => own('./inspector/inspector.css'),
  'copy.js': () => own('./copy.js'),
  'keys.js': () => own('./inspector/keys.js'),
  'live.js': () => own('./inspector/live.js'),
  'idiomorph.js': ofPackage('idiomorph.js'),
  'filter.js': () => own('./reference/filter.js'),
} as const satisfies Readonly<Record<string, () => string>>;

export type AssetName = keyof typeof FILES;

const ASSETS_PATH = '/hosted/assets';

/** The URL path of a file that pages load. */
export const assetUrl = (name: AssetName): string => `${ASSETS_PATH}/${name}`;

/** Serves the icon under the path at which browsers look for it by themselves. */
export const serveIcon: express.RequestHandler = (_request, response) => {
  response.set('Cache-Control', 'public, max-age=300');
  response.type('svg').sendFile(FILES['favicon.svg']());
};

/** Serves the files that pages load, and keeps them in memory. */
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
