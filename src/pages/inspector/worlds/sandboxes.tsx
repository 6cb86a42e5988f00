import { knownFixtures } from '../../../control/worlds/fixture-names.ts';
import type { World } from '../../../store/world.ts';
import { keyOf } from '../../../store/worlds.ts';
import { Button, Choice, Field } from '../../forms.tsx';
import { Notice } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { EnvironmentBadge } from '../bar.tsx';
import { linkTo, useRequest } from '../inspector-request.ts';
import { ActionForm } from '../links.tsx';
import { listPage } from '../listing.tsx';

/** All open worlds, with links and buttons to close them, and a form that opens another. */
export const showWorlds = listPage<World>({
  section: '/worlds',
  label: 'Open worlds',
  rows: ({ control }) => [...control.worlds.values()],
  fields: {
    sandbox: ({ sandbox }) => [sandbox],
    environment: ({ environment }) => [environment],
    key: (world) => [keyOf(world)],
  },
  text: (world) => [keyOf(world)],
  present: ({ sandbox, environment }) => ({ sandbox, environment }),
  columns: (request) => ({
    World: (world) => (
      <a
        href={linkTo('', { key: keyOf(world) })}
        aria-current={world === request.world ? 'true' : undefined}
      >
        {world.sandbox}
      </a>
    ),
    Environment: (world) => <EnvironmentBadge world={world} />,
    Key: (world) => <code>{keyOf(world)}</code>,
    '#Customers': ({ tables }) => tables.customers.size.toLocaleString('en'),
    Time: (world) => <Time as="exact" at={world.now} />,
    ...(!request.isReadOnly && {
      '^Close': ({ sandbox }: World) => (
        <ActionForm action="/sandboxes/close" layout="small buttons">
          <Button isSecondary name="name" value={sandbox} aria-label={`Close ${sandbox}`}>
            Close
          </Button>
        </ActionForm>
      ),
    }),
  }),
  empty: 'No open worlds.',
  before: () => <Closed />,
  after: () => <NewSandboxForm />,
});

function Closed() {
  const request = useRequest();
  const name = request.query('closed');
  if (name === '' || request.control.worlds.isOpen(name)) return null;
  return <Notice text={`The sandbox ${name} was closed.`} />;
}

function NewSandboxForm() {
  const request = useRequest();
  const fixtures = knownFixtures(request.control.life);
  return (
    <ActionForm action="/sandboxes" layout="line">
      <Field label="New sandbox" name="name" pattern="[a-z0-9][a-z0-9\-]{0,62}" required />
      <Choice label="From" name="fixture" options={[['', 'the default'], ...fixtures]} />
      <Button>Create</Button>
    </ActionForm>
  );
}
