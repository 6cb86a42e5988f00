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

const contents = new Map<AssetName, Buffer>();

/** Sends a file, which is kept in memory. Express itself would not send it from a folder such as `.npm`. */
function sendAsset(response: express.Response, name: AssetName): void {
  const content = contents.get(name) ?? readFileSync(FILES[name]());
  contents.set(name, content);
  response.set('Cache-Control', 'public, max-age=300').type(name).send(content);
}

/** Serves the icon under the path at which browsers look for it by themselves. */
export const serveIcon: express.RequestHandler = (_request, response) =>
  sendAsset(response, 'favicon.svg');

/** Serves the files that pages load. */
export function assetsRouter(): express.Router {
  const router = express.Router();
  router.get('/:name', ({ params }, response, next) => {
    const name = params['name'] as string;
    if (Object.hasOwn(FILES, name)) sendAsset(response, name as AssetName);
    else next();
  });
  return router;
}
