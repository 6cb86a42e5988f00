/** How a fixture went. */
export interface FixtureReport {
  readonly file: string;
  readonly about?: string;
  readonly steps: readonly StepReport[];
  /** Why it could not be played at all, a line for each problem. */
  readonly unusable?: string;
}

export interface StepReport {
  readonly name: string;
  readonly problems: readonly string[];
  readonly skipped: boolean;
}

/** A report in the form that build servers read: a suite for each fixture, a case for each step. */
export function junitOf(reports: readonly FixtureReport[]): string {
  const suites = reports.map(suiteOf);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`;
}

function suiteOf({ file, steps, unusable }: FixtureReport): string {
  const failures = steps.filter(({ problems }) => problems.length > 0).length;
  const skipped = steps.filter((step) => step.skipped).length;
  const errors = unusable === undefined ? 0 : 1;
  const counts = `tests="${steps.length + errors}" failures="${failures}" errors="${errors}" skipped="${skipped}"`;
  const cases = steps.map((step, index) => caseOf(file, step, index + 1));
  if (unusable !== undefined)
    cases.push(
      `    <testcase ${named(file, 'read')}>\n${finding('error', unusable)}    </testcase>\n`,
    );
  return `  <testsuite name="${escapeXml(file)}" ${counts}>\n${cases.join('')}  </testsuite>\n`;
}

function caseOf(file: string, { name, problems, skipped }: StepReport, ordinal: number): string {
  const head = `    <testcase ${named(file, `${ordinal} ${name}`)}`;
  if (skipped) return `${head}>\n      <skipped/>\n    </testcase>\n`;
  if (problems.length === 0) return `${head}/>\n`;
  return `${head}>\n${finding('failure', problems.join('\n'))}    </testcase>\n`;
}

function finding(kind: 'error' | 'failure', text: string): string {
  const [first = ''] = text.split('\n');
  return `      <${kind} message="${escapeXml(first)}">${escapeXml(text)}</${kind}>\n`;
}

function named(file: string, name: string): string {
  return `classname="${escapeXml(file)}" name="${escapeXml(name)}"`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Text as XML may hold it: control characters have no form there. */
function escapeXml(text: string): string {
  return (
    text
      .replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] as string)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: They are what has to go.
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
  );
}
