import type { World } from '../../../store/world.ts';
import { Code } from '../../code.tsx';
import { curlText } from '../../curl.ts';
import { Button, Field } from '../../forms.tsx';
import { linkTo, useRequest } from '../inspector-request.ts';
import { ActionForm, SendLink } from '../links.tsx';

/** Whether a world has no customers and no products. */
export const isEmpty = ({ tables }: World): boolean =>
  tables.customers.size + tables.products.size === 0;

/** Fills an empty world with the quickstart. */
export const QuickstartForm = ({ worldKey, text }: Record<'worldKey' | 'text', string>) => (
  <form method="post" action={linkTo('/time/reset', { key: worldKey })}>
    <input type="hidden" name="to" value="fixture" />
    <Button isMain name="name" value="quickstart">
      {text}
    </Button>
  </form>
);

export function EmptyWorld() {
  const request = useRequest();
  const { key, control } = request;
  const url = `${control.baseUrl}/customers`;
  const curl = curlText({ method: 'POST', url, key, body: '{"name": "Acme"}' });
  return (
    <article>
      <p>
        <strong>This world is empty.</strong> Fill it with data, or send it a first request.
      </p>
      <div class="buttons">
        <QuickstartForm worldKey={key} text="Quickstart: 2 customers" />
        <ActionForm action="/populate" layout="line">
          <Field label="Customers" name="customers" type="number" value="60" min={1} max={500} />
          <Button>Generate</Button>
        </ActionForm>
        <SendLink to={{ operation: 'createCustomer', fill: 'required' }}>
          Create a customer
        </SendLink>
      </div>
      <Code label="The curl line">{curl}</Code>
    </article>
  );
}
