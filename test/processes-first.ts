import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Starts the tests that wait for processes first, so that the others run meanwhile and none of them is left to the end. */
export class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const [first, rest] = [true, false].map((wanted) =>
      sorted.filter(({ moduleId }) => /\/test\/(browser|e2e|torture)\//.test(moduleId) === wanted),
    );
    return [...(first ?? []), ...(rest ?? [])];
  }
}
