import type { Reporter, TestCase, TestModule } from 'vitest/node';
import type { CheckRecord } from '../trial.ts';

/** Collects the records of checks as they end. */
export interface Collector extends Reporter {
  readonly records: readonly CheckRecord[];
  /** Files that could not run, and errors outside of checks. */
  readonly crashes: readonly string[];
}

export interface RunProgress {
  fileEnded(records: readonly CheckRecord[]): void;
}

export function createCollector(progress: RunProgress): Collector {
  const records: CheckRecord[] = [];
  const crashes: string[] = [];
  const recordOf = (test: TestCase): CheckRecord | undefined => test.meta().contract;
  return {
    records,
    crashes,
    onTestCaseResult(test) {
      const record = recordOf(test);
      if (!record) return;
      const errors = test.result().errors ?? [];
      if (record.outcome === 'pass' && errors.length > 0) {
        const message = errors[0]?.message ?? 'unknown';
        record.outcome = /timed out/i.test(message) ? 'untestable' : 'harness_error';
        record.reason = message;
      }
      records.push(record);
    },
    onTestModuleEnd(module: TestModule) {
      for (const { message } of module.errors()) crashes.push(`${module.moduleId}: ${message}`);
      const tests = [...module.children.allTests()];
      progress.fileEnded(tests.flatMap((test) => recordOf(test) ?? []));
    },
    onTestRunEnd(_modules, errors) {
      for (const { message } of errors) crashes.push(message);
    },
  };
}
