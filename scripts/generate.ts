import { buildGenerated } from './build/generated.ts';

/**
 * `npm run generate`: writes the files that are wholly generated, and the marked blocks of documents that are in git.
 */
await buildGenerated();
// These read what is written above when they load.
const { writeWebhookGuide } = await import('./webhook-guide.ts');
const { writeSettingsTable } = await import('./settings-table.ts');
const { writeCommandLinePage } = await import('./command-line-page.ts');
writeWebhookGuide();
writeSettingsTable();
writeCommandLinePage();
