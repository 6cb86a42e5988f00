import { cutJournal } from '../../src/testing/durability/power-cut.ts';

/** `npm run prove -- power-cut`: a journal cut at any byte of its last 4 KB opens with exactly its complete changes. */
const { cuts, wrong } = await cutJournal(1);
process.stdout.write(`${cuts} cuts: ${wrong.length} opened with other than their whole changes\n`);
for (const each of wrong) process.stderr.write(`${JSON.stringify(each)}\n`);
process.exitCode = wrong.length > 0 ? 1 : 0;
