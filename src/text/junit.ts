/** The result of a case that did not pass. */
export interface JunitResult {
  readonly kind: 'failure' | 'error' | 'skipped';
  /** One line; by default the first line of `detail`. */
  readonly message?: string;
  readonly detail?: string;
  /** A more specific kind, for reports that group by it. */
  readonly type?: string;
}

export interface JunitCase {
  readonly name: string;
  readonly seconds?: number;
  readonly result?: JunitResult | undefined;
}

export interface JunitSuite {
  readonly name: string;
  readonly timestamp?: string;
  readonly cases: readonly JunitCase[];
}

/** Writes a report in JUnit XML, as build servers read it. With a name, the root element has totals. */
export function junitXml(suites: readonly JunitSuite[], name?: string): string {
  const cases = suites.flatMap((suite) => suite.cases);
  const total = name === undefined ? {} : { name, ...countsOf(cases) };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', total, suites.map(suiteOf), '')}`;
}

function suiteOf({ name, timestamp, cases }: JunitSuite): string {
  const attributes = { name, ...countsOf(cases), timestamp };
  const content = cases.map((each) => caseOf(name, each));
  return element('testsuite', attributes, content, '  ');
}

function caseOf(classname: string, { name, seconds, result }: JunitCase): string {
  const content = result ? [resultOf(result)] : [];
  return element('testcase', { classname, name, time: seconds?.toFixed(3) }, content, '    ');
}

function resultOf({ kind, detail, message = detail?.split('\n')[0], type }: JunitResult): string {
  const open = `      <${kind}${attributesOf({ type, message })}`;
  return detail ? `${open}>${escapeXml(detail)}</${kind}>\n` : `${open}/>\n`;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

function countsOf(cases: readonly JunitCase[]): Attributes {
  const count = (kind: JunitResult['kind']) =>
    cases.filter(({ result }) => result?.kind === kind).length;
  const timed = cases.some(({ seconds }) => seconds !== undefined);
  const time = cases.reduce((sum, { seconds = 0 }) => sum + seconds, 0);
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: timed ? time.toFixed(3) : undefined,
  };
}

function element(
  tag: string,
  attributes: Attributes,
  content: readonly string[],
  indent: string,
): string {
  const open = `${indent}<${tag}${attributesOf(attributes)}`;
  return content.length === 0 ? `${open}/>\n` : `${open}>\n${content.join('')}${indent}</${tag}>\n`;
}

function attributesOf(attributes: Attributes): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes text for XML; characters that XML does not allow are replaced. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] as string);
}
