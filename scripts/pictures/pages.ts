import type { Page } from 'playwright-core';
import { at, type Opener } from '../../src/testing/every-page.ts';
import { POPULATED, type Scene } from './scene.ts';

/** The pages shown in the documentation, and the part of each. */
export function picturedPages(scene: Scene) {
  const ui = `${scene.url}/_emulator/ui`;
  const parts: Readonly<Record<string, readonly [open: Opener, width: number, height: number]>> = {
    'front-page': [at(`${scene.url}/`), 1100, 890],
    request: [openFirstRequest(ui), 1100, 560],
    fee: [openFirstFee(scene.url), 1100, 1000],
    customer: [at(`${ui}/customers/${scene.busiest}?key=${POPULATED}`), 1280, 800],
    checkout: [async (page) => page.goto(await scene.checkout()), 1040, 860],
    portal: [async (page) => page.goto(await scene.portal()), 1040, 1060],
  };
  return Object.entries(parts).map(([name, [open, width, height]]) => ({
    name,
    open,
    view: { viewport: { width, height } },
    path: `docs/pictures/${name}.png`,
    fullPage: false,
  }));
}

const openFirstRequest = (ui: string) => async (page: Page) => {
  await page.goto(`${ui}/requests?q=operation:submitEvents`);
  await page.locator('tbody a').first().click();
};

const openFirstFee = (url: string) => async (page: Page) => {
  await page.goto(`${url}/`);
  await page.getByRole('link', { name: 'Why?' }).click();
};
