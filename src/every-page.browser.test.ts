import { afterAll, expect, it } from 'vitest';
import { PAGE_PATHS } from './pages/paths.ts';
import { reusePage } from './testing/browser.ts';
import { openEveryPage } from './testing/every-page.ts';
import { expectSoundViews } from './testing/views.ts';

const { pages, ui, guardedUi, addresses, broken, close } = await openEveryPage();

afterAll(close);

it.each(Object.entries(pages))('%s is accessible and fits in every view', (_name, open) =>
  expectSoundViews(open),
);

it('a table keeps short words on one line in columns with very long ones', async () => {
  const page = await reusePage();
  await page.goto(`${ui}/events`);

  const lines =
    await page.evaluate(`[...document.querySelectorAll('tbody .words')].flatMap((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return each.textContent === 'llm.completion' ? [range.getClientRects().length] : [];
  })`);

  expect(lines).toEqual(Array.from({ length: 28 }, () => 1));
});

it('no link of the inspector is broken, and links reach every page and section', () => {
  const paths = Object.values(addresses).map((address) => address.slice(ui.length).split('?')[0]);
  const isMet = (path: string) => {
    const pattern = new RegExp(`^${path === '/' ? '' : path.replaceAll(/:\w+/g, '[^/]+')}$`);
    return paths.some((each = '') => pattern.test(each));
  };

  expect(broken).toEqual([]);
  // The search at the top redirects to the page of the result.
  expect(Object.values(PAGE_PATHS).filter((path) => !isMet(path))).toEqual(['/go']);
});

it('the control token opens the page that was requested', async () => {
  const page = await reusePage();
  await page.goto(guardedUi);

  await page.getByLabel('Control API token').fill('swordfish');
  await page.getByRole('button', { name: 'Open' }).click();

  await page.getByRole('heading', { name: 'Customers' }).waitFor();
});
