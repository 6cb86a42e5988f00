import { buildGenerated } from './build/generated.ts';

/**
 * `npm run generate`: writes the files that are wholly generated, and the marked blocks of documents that are in git.
 */
await buildGenerated();
// This reads what is written above when it loads.
const { writeExitCodes, writeSettingsTable, writeWebhookGuide } = await import(
  './marked-blocks.ts'
);
writeWebhookGuide();
writeSettingsTable();
writeExitCodes();
