import { type Finding, refuseAll } from '../../domain/rules.ts';
import { findBadText, parseJson, Unreadable } from '../../http/input.ts';
import type { Resumable } from '../../state/resumable.ts';
import { createSharer } from '../../state/storage/share-parts.ts';
import type { Row } from '../../state/table.ts';

/** The JSON of a world, not judged yet. */
export type UnjudgedWorld = Readonly<Record<string, unknown>>;

/**
 * Reads the JSON of a world. In the form of an export, with a record on each line, it is read record by
 * record; in any other, within one step.
 *
 * @throws Unreadable saying what is wrong with it, RuleViolation for text that no record may hold
 */
export function* readWorld(bytes: Buffer): Resumable<UnjudgedWorld> {
  try {
    return yield* readRecords(bytes);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const body = parseJson(bytes);
    refuseAll(findBadText(bytes, body));
    return body;
  }
}

const TABLES = '\n  "tables": {\n';
const TABLE = /^ {4}"([\w-]+)": \[$/;
const ROW = /^ {6}\{.*\},?$/;
const CLOSE = /^ {4}\],?$/;
const END = '  }\n}\n';

/** @throws Unreadable where it is not in the form of an export */
function* readRecords(bytes: Buffer): Resumable<UnjudgedWorld> {
  const start = bytes.indexOf(TABLES);
  if (start < 0) throw new Unreadable('There are no records.');
  const head = parseJson(Buffer.concat([bytes.subarray(0, start), Buffer.from('"tables": 0}')]));
  const lines = new Lines(bytes, start + TABLES.length);
  const tables: [string, unknown[]][] = [];
  const findings: Finding[] = [];
  const share = createSharer();
  for (let isOver = false; !isOver; ) {
    const name = lines.next(TABLE)[1] as string;
    const rows: unknown[] = [];
    for (let isLast = false; !isLast; yield) {
      isLast = !lines.next(ROW)[0].endsWith(',');
      const line = isLast ? lines.line : lines.line.subarray(0, -1);
      const row = parseJson(line);
      findings.push(...findBadText(line, row, `tables.${name}[${rows.length}]`));
      rows.push(share(row as unknown as Row));
    }
    tables.push([name, rows]);
    isOver = !lines.next(CLOSE)[0].endsWith(',');
  }
  if (lines.rest !== END) throw new Unreadable('It goes on after the last table.');
  refuseAll(findings);
  return { ...head, tables: Object.fromEntries(tables) };
}

const LINE_FEED = 10;

/** The lines of a text, one after the other. */
class Lines {
  /** The latest one. */
  line: Buffer = Buffer.alloc(0);

  constructor(
    private readonly bytes: Buffer,
    private at: number,
  ) {}

  /** Goes on to the next line. @throws Unreadable where that has another form */
  next(form: RegExp): RegExpExecArray {
    const end = this.bytes.indexOf(LINE_FEED, this.at);
    this.line = this.bytes.subarray(this.at, Math.max(end, this.at));
    this.at = end + 1;
    return form.exec(this.line.toString()) ?? otherForm();
  }

  get rest(): string {
    return this.bytes.toString('utf8', this.at);
  }
}

function otherForm(): never {
  throw new Unreadable('It has another form.');
}
