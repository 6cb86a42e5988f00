import { readFileSync } from 'node:fs';
import fastify from 'fastify';

/** A typical handwritten server: customers and events in memory, bodies validated by Ajv. */
const [port, folder] = process.argv.slice(2);
const read = (name) => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'));
const customers = new Map(read('customers.json').map((customer) => [customer.id, customer]));
const events = new Map();

const app = fastify({
  ajv: { customOptions: { strict: false, coerceTypes: false, removeAdditional: false } },
});
app.addSchema({ $id: 'document', ...read('document.json') });
const body = (name) => ({ schema: { body: { $ref: `document#/components/schemas/${name}` } } });

app.get(
  '/customers/:id',
  ({ params }, reply) => customers.get(params.id) ?? reply.code(404).send(),
);
app.get('/customers', ({ query }) => {
  const { limit = 100, offset = 0 } = query;
  const items = [...customers.values()].slice(offset, offset + limit);
  return { items, total_count: customers.size, limit, offset };
});
app.post('/customers', body('CustomerCreate'), ({ body }, reply) => {
  const id = `cust_${customers.size}`;
  customers.set(id, { id, ...body, active_subscription_count: 0 });
  return reply.code(201).send({ id, subscriptions: [] });
});
app.post('/events', body('UsageEventSubmission'), ({ body }, reply) => {
  for (const event of body.events) if (!events.has(event.id)) events.set(event.id, event);
  return reply.code(204).send();
});
await app.listen({ host: '127.0.0.1', port: Number(port) });
