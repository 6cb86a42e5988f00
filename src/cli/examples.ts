/** Command lines without the program's name, by the words of their command. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  start: [
    'start --port 0 --ready-file ready.json --fixture token-pricing',
    'start --clock frozen --clock-now 2026-01-31T10:00:00Z --data state.json',
  ],
  exec: [
    'exec --fixture token-pricing --clock frozen -- pytest',
    'exec --webhook-url http://localhost:3000/hooks -- npm run e2e',
  ],
  doctor: ['doctor --config settings.yaml --json'],
  call: [
    'call listCustomers external_id=acme',
    'call addFault match.operation=submitEvents status=503 times=2',
    'call settlePayment id=sub_4k2p… outcome=succeeded',
    'call submitEvents --body events.json',
  ],
  explain: ['explain fee_6x0t8m2k9r4c1q7w3z5n8b2v6y'],
  'clock show': ['clock show --json'],
  'clock set': ['clock set 2026-03-31T23:00:00Z', 'clock set real'],
  'clock freeze': ['clock freeze', 'clock freeze 2026-01-31T10:00:00Z'],
  'clock advance': [
    'clock advance 1mo',
    'clock advance 2026-02-01T00:00:00Z --dry-run',
    'clock advance next',
  ],
  reset: ['reset --to empty', 'reset --to fixture --name quickstart'],
  undo: ['undo --key key_test_shop'],
  'snapshot save': ['snapshot save before'],
  'snapshot restore': ['snapshot restore before'],
  'snapshot diff': [
    'snapshot diff before after --json',
    'snapshot diff previous --ignore clock,requests',
  ],
  export: ['export world.json', 'export --key key_test_shop > world.json'],
  import: ['import world.json --key key_test_shop'],
  'ledger verify': ['ledger verify --json'],
  'requests list': ['requests list --status 422 --json'],
  'requests export': [
    'requests export --expect --after 120 --out session.yaml',
    'requests export --as har --out session.har',
  ],
  contract: ['contract --help'],
  proxy: ['proxy --help'],
  twin: ['twin --help'],
  listen: ['listen --forward-to http://localhost:3000/hooks --print-secret'],
  trigger: ['trigger subscription.activated', 'trigger subscription.activated --bare'],
  webhooks: ['webhooks check --help'],
  mcp: ['mcp --read-only --key key_test_shop'],
  populate: [
    'populate --customers 20 --days 30 --seed 7 --out population.json',
    'populate --url http://127.0.0.1:24100 --key key_test_demo',
  ],
  ready: ['ready --wait 30s'],
  stop: ['stop --ready-file ready.json'],
  run: ['run fixtures/ --junit report.xml', 'run quickstart --url http://127.0.0.1:24102'],
};

/** @throws Error for a command without examples, which a test finds */
export function examplesOf(command: string): readonly string[] {
  const examples = EXAMPLES[command];
  if (!examples) throw new Error(`The command ${command} has no examples.`);
  return examples;
}
