import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { it } from 'vitest';
import { expectSoundViews } from '../../../src/testing/views.ts';
import { aRun } from '../../testing/runs.ts';
import { gatherCases } from '../check.ts';
import { htmlPage } from './html.ts';

it('the report page is accessible and fits every screen size and colour scheme', async () => {
  await gatherCases();
  const file = join(mkdtempSync(join(tmpdir(), 'contract-page-')), 'run.html');
  writeFileSync(file, htmlPage(aRun('<script>document.title="owned"</script>')));

  await expectSoundViews((page) => page.goto(pathToFileURL(file).href));
}, 300_000);
