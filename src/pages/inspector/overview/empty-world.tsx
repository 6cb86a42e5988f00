import type { World } from '../../../store/world.ts';
import { Code } from '../../code.tsx';
import { Button, Field } from '../../forms.tsx';
import { useRequest } from '../inspector-request.ts';
import { ActionForm } from '../links.tsx';

/** Whether a world has no customers and no products. */
export const isEmpty = ({ tables }: World): boolean =>
  tables.customers.size + tables.products.size === 0;

export function EmptyWorld() {
  const request = useRequest();
  const { key, control, isReadOnly, link } = request;
  const curl = [
    `curl -X POST ${control.baseUrl}/customers`,
    `-H 'Authorization: Bearer ${key}'`,
    "-H 'Content-Type: application/json'",
    `-d '{"name": "Acme"}'`,
  ].join(' \\\n  ');
  return (
    <div class="empty" data-testid="empty-world">
      <p>
        <strong>This world is empty.</strong> Fill it with data, or send it a first request.
      </p>
      {!isReadOnly && (
        <div class="buttons">
          <ActionForm action="/time/reset">
            <input type="hidden" name="to" value="fixture" />
            <input type="hidden" name="from" value="empty" />
            <Button name="name" value="quickstart">
              Quickstart: 2 customers
            </Button>
          </ActionForm>
          <ActionForm action="/populate" layout="line">
            <Field label="Customers" name="customers" type="number" value="60" min={1} max={500} />
            <Button isSecondary>Generate</Button>
          </ActionForm>
          <a class="button secondary" href={link('send', { operation: 'createCustomer' })}>
            Create a customer
          </a>
        </div>
      )}
      <Code label="The curl line">{curl}</Code>
    </div>
  );
}
