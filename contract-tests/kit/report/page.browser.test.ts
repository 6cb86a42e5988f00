import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../../../src/testing/browser.ts';
import { expectSoundViews } from '../../../src/testing/views.ts';
import { runCli } from '../testing/cli.ts';
import { aFakeTarget, answerJson } from '../testing/server.ts';

/** The page of a run on what is no service, as people see it: it has something to say in every section. */
const folder = mkdtempSync(join(tmpdir(), 'contract-page-'));
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

async function pageOf(name: string, flags: readonly string[]): Promise<string> {
  const file = join(folder, `${name}.html`);
  const all = [...flags, '--state', folder, '--report', `html=${file}`];
  await runCli(all, { A_KEY: 'key_test_page' });
  expect(readFileSync(file, 'utf8')).toContain('<h1>');
  return pathToFileURL(file).href;
}

it('is accessible and fits, whatever it is seen on', async () => {
  const target = await aFakeTarget(({ url }, response) =>
    url === '/accounts/self'
      ? answerJson(response, { account_id: 'acc_1', environment: 'test' })
      : answerJson(response, { items: [{ id: '<script>document.title="owned"</script>' }] }),
  );
  const flags = ['--base-url', target.baseUrl, '--key-env', 'A_KEY', '--timeout', '2s'];
  const url = await pageOf('broken', flags);
  await target.close();
  await expectSoundViews(browser, 'contract run on no service', (page) => page.goto(url));
}, 120_000);
