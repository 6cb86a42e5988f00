import { writeFileSync } from 'node:fs';
import type { RunRecord } from '../run/record.ts';
import { htmlPage } from './html.ts';
import { junitReport } from './junit.ts';
import { markdownSummary } from './markdown.ts';

const FORMATS: Readonly<Record<string, (record: RunRecord) => string>> = {
  json: (record) => `${JSON.stringify(record, null, 2)}\n`,
  ndjson: (record) => record.checks.map((check) => `${JSON.stringify(check)}\n`).join(''),
  junit: junitReport,
  md: markdownSummary,
  html: htmlPage,
};

export function writeReports(record: RunRecord, files: Readonly<Record<string, string>>): void {
  for (const [kind, file] of Object.entries(files)) {
    const format = FORMATS[kind];
    if (format) writeFileSync(file, format(record));
  }
}
