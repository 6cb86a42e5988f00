import { writeFileSync } from 'node:fs';
import type { RunRecord } from '../run/record.ts';
import { ctrfReport } from './ctrf.ts';
import { driftText, settingsObserved } from './drift.ts';
import { htmlPage } from './html.ts';
import { junitReport } from './junit.ts';

const FORMATS: Readonly<Record<string, (record: RunRecord) => string>> = {
  json: (record) => `${JSON.stringify(record, null, 2)}\n`,
  junit: junitReport,
  html: htmlPage,
  ctrf: ctrfReport,
  drift: driftText,
  settings: settingsObserved,
};

export function writeReports(record: RunRecord, files: Readonly<Record<string, string>>): void {
  for (const [kind, file] of Object.entries(files)) {
    const format = FORMATS[kind];
    if (format) writeFileSync(file, format(record));
  }
}
