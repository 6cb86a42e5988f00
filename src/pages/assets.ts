import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import express from 'express';

const require = createRequire(import.meta.url);

/** Files of npm packages. The build copies them beside the emulator's own files. */
export const PACKAGE_FILES = {
  'idiomorph.js': 'idiomorph/dist/idiomorph.esm.js',
} as const;

/** The files that pages load, by their names in URLs. Pages load nothing from other hosts. */
const FILES = {
  'favicon.svg': './favicon.svg',
  'tokens.css': './styles/tokens.css',
  'base.css': './styles/base.css',
  'parts.css': './styles/parts.css',
  'table.css': './styles/table.css',
  'hosted.css': './styles/hosted.css',
  'inspector.css': './inspector/inspector.css',
  'copy.js': './copy.js',
  'filter.js': './reference/filter.js',
  'keys.js': './inspector/keys.js',
  'live.js': './inspector/live.js',
  'idiomorph.js': './idiomorph.js',
} as const;

export type AssetName = keyof typeof FILES;

const ASSETS_PATH = '/hosted/assets';

/** The URL path of a file that pages load. */
export const assetUrl = (name: AssetName): string => `${ASSETS_PATH}/${name}`;

function pathOf(name: AssetName): string {
  const path = fileURLToPath(new URL(FILES[name], import.meta.url));
  const isOfPackage = name in PACKAGE_FILES && !existsSync(path);
  return isOfPackage ? require.resolve(PACKAGE_FILES[name as keyof typeof PACKAGE_FILES]) : path;
}

const contents = new Map<AssetName, Buffer>();

/** Sends a file, which is kept in memory. Express itself would not send it from a folder such as `.npm`. */
function sendAsset(response: express.Response, name: AssetName): void {
  const content = contents.get(name) ?? readFileSync(pathOf(name));
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
