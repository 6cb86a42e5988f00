import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { openPage } from '../../../src/testing/browser.ts';
import { expectSoundViews } from '../../../src/testing/views.ts';
import { runCli } from '../../testing/cli.ts';
import { aFakeTarget, answerJson } from '../../testing/server.ts';

/** The report page of a run against a target that is not the service, so that every section has content. */
const folder = mkdtempSync(join(tmpdir(), 'contract-page-'));
let url: string;

beforeAll(async () => {
  const target = await aFakeTarget(({ url: asked }, response) =>
    asked === '/accounts/self'
      ? answerJson(response, { account_id: 'acc_1', environment: 'test' })
      : answerJson(response, { items: [{ id: '<script>document.title="owned"</script>' }] }),
  );
  const flags = ['--base-url', target.baseUrl, '--key-env', 'A_KEY', '--timeout', '2s'];
  url = await pageOf('broken', flags);
  await target.close();
}, 600_000);

async function pageOf(name: string, flags: readonly string[]): Promise<string> {
  const file = join(folder, `${name}.html`);
  const all = [...flags, '--state', folder, '--report', `html=${file}`];
  await runCli(all, { A_KEY: 'key_test_page' });
  expect(readFileSync(file, 'utf8')).toContain('<h1>');
  return pathToFileURL(file).href;
}

it('the report page is accessible and fits every screen size and colour scheme', async () => {
  await expectSoundViews((page) => page.goto(url));
}, 300_000);

it('the report page hides rows that do not match its filter and shows the row a link leads to', async () => {
  const page = await openPage();
  await page.goto(url);
  const shown = (selector: string) => page.locator(`${selector}:visible`).count();
  const all = await shown('tr[id^=finding-]');
  const request = (await page.locator('#finding-1 td:nth-child(3) a').nth(1).textContent()) ?? '';
  await page.selectOption('select[name=request]', request);

  expect(await shown('tr[id^=finding-]')).toBeLessThan(all);
  expect(await shown('#finding-1')).toBe(1);
  expect(await page.locator('#shown').textContent()).toMatch(/^\d+ of \d+ rows$/);
  await page.selectOption('select[name=status]', 'not_selected');
  expect(await shown('tr[id^=finding-]')).toBe(0);
  expect(await shown('tr[data-status=not_selected]')).toBeGreaterThan(0);
  await page.click('button[type=reset]');
  await page.fill('input[name=words]', 'r-ast-20');
  expect(await shown('#R-AST-20')).toBe(1);
  expect(await shown('#R-AST-21')).toBe(0);
  await page.goto(`${url}#R-AST-21`);
  expect(await shown('#R-AST-21')).toBe(1);
  expect(await shown('tr[id^=finding-]')).toBe(all);
  await page.context().close();
}, 300_000);

it('the report page works without scripts: it hides the filter, and links open their rows', async () => {
  const page = await openPage({ javaScriptEnabled: false });
  await page.goto(url);
  const requirement = page.locator('#finding-1 a[href^="#R-"]');
  const id = (await requirement.textContent()) ?? '';

  expect(await page.locator('#filter').isVisible()).toBe(false);
  await requirement.click();
  expect(await page.locator(`tr#${id}:target`).isVisible()).toBe(true);
  await page.locator(`tr#${id} a[href="#finding-1"]`).click();
  expect(await page.locator('tr#finding-1:target').isVisible()).toBe(true);
  await page.context().close();
}, 300_000);

it('the report page shows every outcome mark and matrix cell within a phone screen', async () => {
  const page = await openPage({ viewport: { width: 375, height: 740 } });
  await page.goto(url);
  const marks = '.list .mark, .matrix .cell';
  const [seen, outside] = (await page.evaluate(`(() => {
    const boxes = [...document.querySelectorAll(${JSON.stringify(marks)})]
      .filter((mark) => mark.offsetParent !== null)
      .map((mark) => mark.getBoundingClientRect());
    return [boxes.length, boxes.filter(({ left, right }) => left < 0 || right > innerWidth).length];
  })()`)) as [number, number];

  expect(seen).toBeGreaterThan(190);
  expect(outside).toBe(0);
  await page.context().close();
}, 300_000);
