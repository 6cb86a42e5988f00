import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

/** Host names that resolve to this machine: an attacker's, one rebound to it, and one of a private network. */
const NAMES_OF_THIS_MACHINE = ['evil.example', 'rebind.example', 'billing.internal'];

/** Shorter than the timeout of a test, so that a failed wait names what it waited for. */
const PATIENCE = 30_000;

let browser: Promise<Browser> | undefined;
let reused: Promise<Page> | undefined;

/** Within a test: a page in a context of its own, which is closed when the test has ended. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await newPage(options);
  onTestFinished(() => page.context().close());
  return page;
}

/** A page in a context of its own. All test files of a worker share one browser. */
async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  browser ??= launchBrowser(NAMES_OF_THIS_MACHINE.map((name) => `MAP ${name} 127.0.0.1`).join(','));
  const context = await (await browser).newContext(options);
  context.setDefaultTimeout(PATIENCE);
  return context.newPage();
}

/** For tests that only read: a reused desktop page, with reduced motion so that no colour is in transition. */
export async function reusePage(): Promise<Page> {
  reused ??= newPage({ reducedMotion: 'reduce' });
  const page = await reused;
  await page.goto('about:blank');
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
  await page.setViewportSize({ width: 1280, height: 720 });
  return page;
}

/**
 * For tests and measurements: launches the browser from `npm install`. The package contains Chromium for Linux on x64,
 * with its libraries and fonts. On other systems an installed Chrome is used. `resolverRules` map host names.
 */
export async function launchBrowser(resolverRules = ''): Promise<Browser> {
  const rules = resolverRules === '' ? [] : [`--host-resolver-rules=${resolverRules}`];
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return chromium.launch({ channel: 'chrome', args: rules });
  const folder = unpack();
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', ...rules],
    env: {
      HOME: folder,
      TMPDIR: tmpdir(),
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  });
}

/** Returns the folder of the unpacked browser. Each version is unpacked once. */
function unpack(): string {
  const source = import.meta.resolve('@sparticuz/chromium');
  const cache = process.env['BROWSER_CACHE'] ?? tmpdir();
  const folder = join(cache, `billing-emulator-chromium-${versionOf(source)}`);
  if (existsSync(folder)) return folder;
  const draft = mkdtempSync(`${folder}-`);
  // The package unpacks into the temporary folder, and its libraries only if it considers them missing.
  execFileSync(process.execPath, ['--input-type=module', '--eval', unpackScript(source)], {
    env: { TMPDIR: draft, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
  });
  writeFileSync(join(draft, 'fonts.conf'), fontSettings(folder));
  return settle(draft, folder);
}

/** Renames the unpacked folder. If several test runs unpack at once, the first one wins. */
function settle(draft: string, folder: string): string {
  try {
    renameSync(draft, folder);
  } catch {
    rmSync(draft, { recursive: true });
  }
  return folder;
}

function unpackScript(source: string): string {
  return `
    const { default: chromium } = await import(${JSON.stringify(source)});
    chromium.setGraphicsMode = false;
    await chromium.executablePath();
  `;
}

function fontSettings(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'font-cache')}</cachedir>
</fontconfig>
`;
}

function versionOf(source: string): string {
  const manifest = readFileSync(new URL('../../package.json', source), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
