import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { PATHS, type Server } from './servers.ts';

const PEERS = fileURLToPath(new URL('peers/', import.meta.url));

/** Installs the pinned packages of `bench/peers` in a separate folder, once for each state of its lock file. */
export function installPeers(): readonly Server[] {
  const lock = readFileSync(`${PEERS}package-lock.json`);
  const state = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  const folder = `${tmpdir()}/billing-emulator-peers-${state}`;
  if (!existsSync(`${folder}/installed`)) {
    mkdirSync(folder, { recursive: true });
    cpSync(PEERS, folder, { recursive: true });
    const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if (status !== 0) throw new Error(`npm ci ended with ${status} in ${folder}.`);
    writeFileSync(`${folder}/installed`, '');
  }
  cpSync(`${PEERS}fastify-server.js`, `${folder}/fastify-server.js`);
  return peersIn(folder);
}

/** A server from a package, with the command line that starts it. */
interface Peer extends Omit<Server, 'version' | 'line'> {
  readonly package: string;
  readonly line: (bin: Bin, port: string, folder: string) => readonly string[];
}

/** Returns the command line that runs a file in the folder of the installed peers. */
type Bin = (file: string) => readonly string[];

const script = (name: string): string => `node_modules/.bin/${name}`;
const documentIn = (folder: string): string => `${folder}/document.json`;

const TABLE: readonly Peer[] = [
  {
    name: 'Fastify + Ajv',
    package: 'fastify',
    line: (bin, port, folder) => [...bin('fastify-server.js'), port, folder],
    paths: PATHS,
  },
  {
    name: 'Prism',
    package: '@stoplight/prism-cli',
    line: (bin, port, folder) => [
      ...bin(script('prism')),
      'mock',
      '--port',
      port,
      '--verboseLevel',
      'silent',
      documentIn(folder),
    ],
    paths: PATHS,
  },
  {
    name: 'Steady',
    package: '@stdy/cli',
    line: (bin, port, folder) => [
      ...bin(script('steady')),
      '--port',
      port,
      '--host',
      '127.0.0.1',
      '--quiet',
      documentIn(folder),
    ],
    paths: PATHS,
  },
  {
    name: 'json-server',
    package: 'json-server',
    line: (bin, port, folder) => {
      const customers = JSON.parse(readFileSync(`${folder}/customers.json`, 'utf8'));
      writeFileSync(`${folder}/db.json`, JSON.stringify({ customers, events: [] }));
      return [...bin(script('json-server')), '--quiet', '--port', port, `${folder}/db.json`];
    },
    paths: { ...PATHS, page: '/customers?_page=1&_limit=100' },
  },
  {
    name: 'Mockoon',
    package: '@mockoon/cli',
    line: (bin, port, folder) => {
      const file = `${folder}/mockoon.json`;
      writeFileSync(file, JSON.stringify(mockoonEnvironment(folder)));
      const flags = ['--port', port, '--disable-log-to-file', '--repair'];
      return [...bin(script('mockoon-cli')), 'start', '--data', file, ...flags];
    },
    paths: { ...PATHS, page: '/customers?page=1&limit=100' },
  },
];

function peersIn(installed: string): readonly Server[] {
  const { dependencies } = JSON.parse(readFileSync(`${PEERS}package.json`, 'utf8'));
  const bin: Bin = (file) => [process.execPath, `${installed}/${file}`];
  return TABLE.map(({ package: name, line, ...peer }) => ({
    ...peer,
    version: dependencies[name],
    line: (port, folder) => line(bin, String(port), folder),
  }));
}

/** Mockoon's configuration of two collections that can be read and added to, as its desktop application saves it. */
function mockoonEnvironment(folder: string): object {
  const value = readFileSync(`${folder}/customers.json`, 'utf8');
  const buckets = [
    { uuid: randomUUID(), id: 'cust', name: 'customers', value },
    { uuid: randomUUID(), id: 'evts', name: 'events', value: '[]' },
  ];
  const routes = buckets.map(({ id, name }) => ({
    uuid: randomUUID(),
    type: 'crud',
    endpoint: name,
    responses: [
      {
        uuid: randomUUID(),
        bodyType: 'DATABUCKET',
        databucketID: id,
        default: true,
        crudKey: 'id',
      },
    ],
  }));
  const rootChildren = routes.map(({ uuid }) => ({ type: 'route', uuid }));
  return {
    uuid: randomUUID(),
    lastMigration: 33,
    name: 'bench',
    routes,
    rootChildren,
    data: buckets,
  };
}
