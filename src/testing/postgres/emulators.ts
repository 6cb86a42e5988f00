import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { machineTime } from '../../config/machine-time.ts';
import { type GivenSettings, readSettings } from '../../config/settings.ts';
import { openStorage } from '../../open-emulator.ts';
import { createTestClient, type TestClient } from '../client.ts';
import { freePort, sharedPostgres, type TestPostgres } from './server.ts';

/** How many tests of this process had a schema. */
let tests = 0;

/** For tests: emulators on the PostgreSQL of this process, with a schema for each test. What a test leaves open is closed. */
export class PostgresEmulators {
  /** Lines of the log of the present test. */
  logged: string[] = [];
  #postgres: TestPostgres | undefined;
  #open: TestClient[] = [];
  /** Those that end while the next tests run: each tells its clients for a while to try another one. */
  readonly #closing: Promise<void>[] = [];

  constructor() {
    beforeAll(async () => {
      this.#postgres = await sharedPostgres();
    });
    beforeEach(() => {
      tests += 1;
      this.logged = [];
    });
    afterEach(() => {
      for (const { emulator } of this.#open) this.#closing.push(emulator.close().catch(() => {}));
      this.#open = [];
    });
    afterAll(() => Promise.all(this.#closing));
  }

  get postgres(): TestPostgres {
    return this.#postgres as TestPostgres;
  }

  /** The schema of the present test. */
  get schema(): string {
    return `worlds_${tests}`;
  }

  /** The setting that keeps the data there. */
  get data(): string {
    return `${this.postgres.url}?schema=${this.schema}`;
  }

  start = async (settings: GivenSettings = {}, machine = machineTime): Promise<TestClient> => {
    const { logged } = this;
    const log = (line: string) => logged.push(line);
    const { limits: _, ...given } = settings;
    const read = { data: this.data, ...given };
    const storage = await openStorage(readSettings(read), { error: log, info: log });
    const client = createTestClient(settings, { storage, machine });
    this.#open.push(client);
    return client;
  };

  /** Starts an emulator that listens, and that others can reach. */
  startReachable = async (settings: GivenSettings = {}) => {
    const port = await freePort();
    const advertise = `http://127.0.0.1:${port}`;
    const client = await this.start({ port, advertise, ...settings });
    await client.emulator.listen();
    return Object.assign(client, { url: advertise });
  };

  stop = async (client: TestClient): Promise<void> => {
    this.#open = this.#open.filter((each) => each !== client);
    await client.emulator.close();
  };
}
