import { createLogger } from '../../src/config/log.ts';
import { readSettings } from '../../src/config/settings.ts';
import { openStorage } from '../../src/open-emulator.ts';
import { freshKey } from '../../src/testing/catalog.ts';
import { createTestClient } from '../../src/testing/client.ts';
import { aMeteredUser, heldBytes, submitEvents } from '../metered-usage.ts';
import type { StoreFigures } from './sizes.ts';

/** Fills a world in the given storage, or reads it from there. Tells its parent the memory of an event and the time. */
const [data = '', task = '', events = ''] = process.argv.slice(2);
/** Events before the first look at the memory, so that what only begins is not counted. */
const FIRST = 5_000;
process.send?.(await (task === 'fill' ? fill(Number(events)) : read()));
process.disconnect();

async function open() {
  const settings = readSettings({ data, log_level: 'error' });
  const storage = await openStorage(settings, createLogger(settings));
  return createTestClient({ limits: { MAX_LOGGED_REQUESTS: 0 } }, { storage });
}

async function fill(events: number): Promise<StoreFigures> {
  const client = await open();
  const user = await aMeteredUser(client);
  await submitEvents(user, FIRST);
  const before = await heldBytes();
  await submitEvents(user, events - FIRST);
  const bytesPerEvent = ((await heldBytes()) - before) / (events - FIRST);
  await client.emulator.close();
  return { bytesPerEvent, ms: 0 };
}

async function read(): Promise<StoreFigures> {
  await createTestClient().api('listEvents');
  const before = await heldBytes();
  const begun = performance.now();
  const client = await open();
  const { total_count } = await client.api('listEvents', { key: freshKey() });
  const ms = performance.now() - begun;
  const bytesPerEvent = ((await heldBytes()) - before) / total_count;
  await client.emulator.close();
  return { bytesPerEvent, ms };
}
