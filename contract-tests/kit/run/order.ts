import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files in alphabetical order, so that the same selection sends the same requests. */
export class AlphabeticalOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort((one, other) => (one.moduleId < other.moduleId ? -1 : 1));
  }
}
