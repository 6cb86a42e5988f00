import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Compares the responses in a run of newman with the statuses of the document. */
const read = (name) => JSON.parse(readFileSync(join(process.argv[2], name), 'utf8'));
const operations = Object.values(read('openapi.json').paths).flatMap((item) => Object.values(item));
const { executions } = read('run.json').run;
const wrong = executions
  .map(({ item, response }) => ({
    name: item.name,
    status: String(response?.code ?? 'none'),
    statuses: Object.keys(operations.find(({ summary }) => summary === item.name)?.responses ?? {}),
  }))
  .filter(({ status, statuses }) => status === '401' || !statuses.includes(status));
const done = executions.filter(({ response }) => response?.code < 300).length;
process.stdout.write(
  `${executions.length} requests of the collection, ${done} carried out, ${wrong.length} wrong\n`,
);
for (const { name, status } of wrong) process.stdout.write(`  ${name}: ${status}\n`);
if (wrong.length > 0 || executions.length === 0) process.exitCode = 1;
