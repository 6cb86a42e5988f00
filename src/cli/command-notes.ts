interface CommandNotes {
  /** Command lines without the program's name. */
  readonly examples: readonly string[];
  /** Its exit codes. Default: those of a command that calls a running emulator. */
  readonly exits?: readonly number[];
}

/** Exit codes of a command that calls a running emulator. */
const ASKING = [0, 1, 2, 6];

/** By the words of the command. */
const NOTES: Readonly<Record<string, CommandNotes>> = {
  start: {
    examples: [
      'start',
      'start --port 0 --ready-file ready.json --fixture token-pricing',
      'start --clock frozen --clock-now 2026-01-31T10:00:00Z --data state.json',
    ],
    exits: [0, 2, 3, 4, 5],
  },
  exec: {
    examples: [
      'exec -- npm test',
      'exec --fixture token-pricing --clock frozen -- pytest',
      'exec --webhook-url http://localhost:3000/hooks -- npm run e2e',
    ],
    exits: [0, 2, 3, 5],
  },
  doctor: {
    examples: ['doctor', 'doctor --config settings.yaml --json'],
    exits: [0, 2, 3, 4, 5],
  },
  call: {
    examples: [
      'call listCustomers external_id=acme',
      'call createCustomer name=Acme external_id=acme',
      'call submitEvents --body events.json',
      'call addFault match.operation=submitEvents status=503 times=2',
      'call settlePayment id=sub_4k2p… outcome=succeeded',
    ],
  },
  explain: {
    examples: [
      'explain 68e8980c-fd79-46ea-be14-0e9f2be7df0a',
      'explain fee_6x0t8m2k9r4c1q7w3z5n8b2v6y --json',
    ],
  },
  'clock show': { examples: ['clock', 'clock show --json'] },
  'clock set': { examples: ['clock set 2026-03-31T23:00:00Z', 'clock set real'] },
  'clock freeze': { examples: ['clock freeze', 'clock freeze 2026-01-31T10:00:00Z'] },
  'clock advance': {
    examples: [
      'clock advance 1mo',
      'clock advance 2026-02-01T00:00:00Z --dry-run',
      'clock advance next',
    ],
  },
  reset: { examples: ['reset', 'reset --to empty', 'reset --to fixture --name quickstart'] },
  undo: { examples: ['undo', 'undo --key key_test_shop'] },
  'snapshot save': { examples: ['snapshot save before'] },
  'snapshot restore': { examples: ['snapshot restore before'] },
  'snapshot diff': {
    examples: [
      'snapshot diff before',
      'snapshot diff before after --json',
      'snapshot diff expected.json now --ignore clock,requests',
    ],
    exits: [0, 1, 2, 4, 6],
  },
  export: { examples: ['export world.json', 'export --key key_test_shop > world.json'] },
  import: { examples: ['import world.json --key key_test_shop'], exits: [0, 1, 2, 4, 6] },
  'ledger verify': { examples: ['ledger verify --json'] },
  'requests list': {
    examples: ['requests', 'requests list --status 422 --json'],
  },
  'requests export': {
    examples: [
      'requests export --expect --after 120 --out session.yaml',
      'requests export --as har --out session.har',
    ],
  },
  contract: { examples: ['contract', 'contract --help'], exits: [0, 1, 2, 3] },
  proxy: { examples: ['proxy --help'], exits: [0, 1, 2, 3, 5, 6] },
  twin: { examples: ['twin --help'], exits: [0, 2, 3, 5, 6, 11, 12] },
  listen: {
    examples: ['listen --forward-to http://localhost:3000/hooks --print-secret'],
  },
  trigger: {
    examples: ['trigger subscription.activated', 'trigger subscription.activated --bare'],
  },
  webhooks: {
    examples: ['webhooks check http://localhost:3000/hooks', 'webhooks check --help'],
    exits: [0, 1, 2],
  },
  mcp: { examples: ['mcp', 'mcp --read-only --key key_test_shop'], exits: [0, 2] },
  populate: {
    examples: [
      'populate --customers 20 --days 30 --seed 7 --out population.json',
      'populate --url http://127.0.0.1:24100 --key key_test_demo',
    ],
  },
  ready: { examples: ['ready', 'ready --wait 30s'], exits: [0, 2, 6] },
  stop: { examples: ['stop', 'stop --ready-file ready.json'], exits: [0, 1, 2, 6] },
  run: {
    examples: [
      'run credit-runs-out',
      'run fixtures/ --junit report.xml',
      'run quickstart --url http://127.0.0.1:24102',
    ],
    exits: [0, 1, 2, 3],
  },
};

/** @throws Error for a command without notes, which a test finds */
export function notesOf(command: string): Required<CommandNotes> {
  const notes = NOTES[command];
  if (!notes) throw new Error(`The command ${command} has no examples.`);
  return { exits: ASKING, ...notes };
}
