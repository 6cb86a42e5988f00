// Long because it contains all recipes, which are best read together.
/** The recipes of CONTRIBUTING.md as edits, each with the guard that misses it. */
export type Guard = 'generate' | 'types' | 'tests';

export interface RecipeFile {
  readonly path: string;
  readonly isNew?: boolean;
  readonly edit: (text: string) => string;
  /** The check that fails without this file, and names it. */
  readonly guard: Guard;
  readonly tests?: readonly string[];
  readonly says: string;
}

export interface Recipe {
  readonly name: string;
  /** Maximum number of files that it may change. */
  readonly most: number;
  readonly files: readonly RecipeFile[];
}

const append = (more: string) => (text: string) => text + more;
const before = (place: string, more: string) => (text: string) =>
  insert(text, text.indexOf(place), more, place);
const last = (place: string, more: string) => (text: string) =>
  insert(text, text.lastIndexOf(place), more, place);

/** @throws if the place does not exist, so that no recipe drifts from the sources unnoticed */
function insert(text: string, at: number, more: string, place: string): string {
  if (at < 0) throw new Error(`A recipe finds nothing that reads "${place}".`);
  return text.slice(0, at) + more + text.slice(at);
}

const inTurn =
  (...edits: readonly ((text: string) => string)[]) =>
  (text: string) =>
    edits.reduce((done, edit) => edit(done), text);

const REGISTRY = 'contract-tests/kit/registry.test.ts';
const MODELS = 'src/domain/pricing/models.test.ts';
const TOPICS = 'src/spec/topics.test.ts';
const EVERY_PAGE = 'src/pages/every-page.browser.test.ts';

const requirement = (operation: string): string => `
R-TSK-90:
  text: An example.
  section: Endpoints / Tasks
  level: MUST
  resource: tasks
  operations:
    - ${operation}
  checks:
    - TSK-90
`;

/** The files of a new check of an operation: its listing, its requirement and its case. */
const checkOf = (operation: string): readonly RecipeFile[] => [
  {
    path: 'contract-tests/checks.yaml',
    edit: append('\nTSK-90:\n  text: >-\n    an example\n  level: MUST\n  effects: [E0]\n'),
    guard: 'generate',
    says: 'TSK-90',
  },
  {
    path: 'spec/requirements.yaml',
    edit: append(requirement(operation)),
    guard: 'tests',
    tests: [REGISTRY],
    says: 'TSK-90',
  },
  {
    path: 'contract-tests/cases/tasks.test.ts',
    edit: last(
      '});',
      "\n  // TSK-90: an example\n  check('TSK-90', async () => {\n    expect((await listed({})).length).toBeGreaterThan(0);\n  });\n",
    ),
    guard: 'generate',
    says: 'TSK-90',
  },
];

const OPERATION = `  /task-example:
    get:
      operationId: getTaskExample
      x-effect: E0
      tags: [Tasks]
      summary: Show an example
      description: Answers an example.
      responses:
        '200':
          description: The example.
          content:
            application/json:
              schema:
                type: object
                required: [count]
                properties:
                  count:
                    type: integer
              example:
                count: 1
`;

const TOPIC = (name: string): string => `  task.example:
    post:
      operationId: ${name}
      tags: [Webhooks]
      summary: An example
      description: An example.
      security: []
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [id, type, created, live_mode, data]
              properties:
                id: { type: string }
                type: { type: string, const: task.example }
                created: { type: string, format: date-time }
                live_mode: { type: boolean }
                account_id: { type: string }
                data:
                  type: object
                  required: [task_id]
                  properties:
                    task_id: { type: string }
      responses:
        2XX:
          description: Received.

`;

export const RECIPES: readonly Recipe[] = [
  {
    name: 'operation',
    most: 8,
    files: [
      {
        path: 'spec/openapi.yaml',
        edit: before('  /tasks/{taskId}:\n', OPERATION),
        guard: 'types',
        says: 'getTaskExample',
      },
      {
        path: 'src/resources/tasks/tasks.ts',
        edit: append(
          "\nexport const getTaskExample: Handler<'getTaskExample'> = () => ({\n  status: 200,\n  body: { count: 1 },\n});\n",
        ),
        guard: 'types',
        says: 'getTaskExample',
      },
      {
        path: 'src/resources/tasks/tasks.test.ts',
        edit: append(
          "\ndescribe('getTaskExample', () => {\n  it('answers', async () => {\n    expect(await api('getTaskExample', {}, 200)).toEqual({ count: 1 });\n  });\n});\n",
        ),
        guard: 'tests',
        tests: ['src/structure.test.ts'],
        says: 'getTaskExample',
      },
      {
        path: 'contract-tests/classes.yaml',
        edit: before('      getTopUp.*: [', '      getTaskExample.count: [TSK-90]\n'),
        guard: 'generate',
        says: 'getTaskExample',
      },
      ...checkOf('getTaskExample').map((file) =>
        file.path === 'spec/requirements.yaml' ? { ...file, says: 'getTaskExample' } : file,
      ),
    ],
  },
  {
    name: 'price-model',
    most: 6,
    files: [
      {
        path: 'spec/openapi.yaml',
        edit: before(', bulk, package]', ', example'),
        guard: 'tests',
        tests: [MODELS],
        says: 'example',
      },
      {
        path: 'src/domain/pricing/example.ts',
        isNew: true,
        edit: append(
          "import { flat } from './flat.ts';\nimport type { PriceModel } from './models.ts';\n\nexport const example: PriceModel = { ...flat, explain: 'an example' };\n",
        ),
        guard: 'types',
        says: 'example',
      },
      {
        path: 'src/domain/pricing/models.ts',
        edit: inTurn(
          before('import { flat }', "import { example } from './example.ts';\n"),
          before('  package: packaged,', '  example,\n'),
        ),
        guard: 'types',
        says: '"example"',
      },
      {
        path: 'contract-tests/worked-cases/price-models.json',
        edit: (text) => text.replace('"pricing_model": "bulk"', '"pricing_model": "example"'),
        guard: 'tests',
        tests: [MODELS],
        says: 'a worked case of the price model example',
      },
    ],
  },
  {
    name: 'topic',
    most: 5,
    files: [
      {
        path: 'spec/openapi.yaml',
        edit: before('  subscription.activated:\n    post:', TOPIC('taskExample')),
        guard: 'types',
        says: 'task.example',
      },
      {
        path: 'src/resources/tasks/tasks.ts',
        edit: inTurn(
          before(
            'import { newestFirst',
            "import { emitWebhookEvent } from '../webhooks/webhook-events.ts';\n",
          ),
          append(
            "\nexport function announceTask(context: Context, task: TaskRow): void {\n  emitWebhookEvent(context, {\n    topic: 'task.example',\n    owner: task.owner,\n    data: { task_id: task.id },\n  });\n}\n",
          ),
        ),
        guard: 'tests',
        tests: [TOPICS],
        says: 'task.example is emitted by a handler in resources',
      },
      {
        path: 'src/resources/tasks/tasks.test.ts',
        edit: append("\nexport const expectedTopic = 'task.example';\n"),
        guard: 'tests',
        tests: [TOPICS],
        says: 'task.example is named in a test of resources',
      },
    ],
  },
  {
    name: 'page',
    most: 3,
    files: [
      {
        path: 'src/pages/inspector/worlds/example.tsx',
        isNew: true,
        edit: append(
          "import type { PageAnswer } from '../../answer.ts';\nimport { InspectorPage } from '../frame.tsx';\nimport type { InspectorRequest } from '../inspector-request.ts';\n\nexport function showExample(request: InspectorRequest): PageAnswer {\n  return (\n    <InspectorPage request={request} section=\"/example\">\n      <p>An example.</p>\n    </InspectorPage>\n  );\n}\n",
        ),
        guard: 'types',
        says: 'example.tsx',
      },
      {
        path: 'src/pages/inspector/pages.ts',
        edit: inTurn(
          before('import { showHome }', "import { showExample } from './worlds/example.tsx';\n"),
          before("  '/faults':", "  '/example': showExample,\n"),
        ),
        guard: 'tests',
        tests: [EVERY_PAGE, '-t', 'no link of the inspector'],
        says: '/_emulator/ui/example',
      },
      {
        path: 'src/pages/inspector/sections.tsx',
        edit: before("    '/faults':", "    '/example': { name: 'Example' },\n"),
        guard: 'types',
        says: '"/example"',
      },
    ],
  },
  { name: 'contract-check', most: 4, files: checkOf('listTasks') },
  {
    name: 'setting',
    most: 2,
    files: [
      {
        path: 'src/config/settings.ts',
        edit: before(
          '  overdraft: define',
          "  example_setting: define(toggle, true, 'An example'),\n",
        ),
        guard: 'types',
        says: 'example_setting',
      },
      {
        path: 'src/resources/tasks/tasks.ts',
        edit: append(
          '\nexport const isExample = ({ settings }: Context): boolean => settings.example_setting;\n',
        ),
        guard: 'tests',
        tests: ['src/config/settings-are-read.test.ts', 'src/config/settings.test.ts'],
        says: 'example_setting is read',
      },
    ],
  },
];
