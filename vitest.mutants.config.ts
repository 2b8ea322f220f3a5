import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The folder whose mutants are judged, `src/drop`: `npm run test:mutants` says so. */
const [, noun = '*', area = '*'] = (process.env.MUTATED_FOLDER ?? '').split('/');

/** Whether the tests of the noun alone judge: minutes a folder, and a lower bound of what all tests notice. */
const isByUnit = process.env.MUTANTS_BY_UNIT === '1';

/** Seconds each, and what they alone notice is not worth every mutant's wait. */
const SLOW = ['app/drop/{sweep,retention}.test.ts', 'app/transform/transform-resume.test.ts'];

/** The tests of a noun first: they take the least time, and the first that fails ends a mutant. */
class UnitFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => (moduleId.includes('/test/unit/') ? 0 : 1);
    return [...files].sort((a, b) => rank(a) - rank(b));
  }
}

/** What judges mutants: tests that need neither a stack nor another process. */
export default defineConfig({
  test: {
    include: isByUnit
      ? [`test/unit/${noun}/**/*.test.ts`]
      : [
          noun === 'app' ? `test/app/${area}/**/*.test.ts` : `test/{unit/${noun},app}/**/*.test.ts`,
          'test/functions/**/*.test.ts',
        ],
    exclude: SLOW.map((name) => `test/${name}`),
    globalSetup: 'test/support/own-temporary-folder.ts',
    // Of a loaded machine's first run, which measures; StrykerJS itself ends a mutant that takes too long.
    testTimeout: 600_000,
    hookTimeout: 60_000,
    sequence: { sequencer: UnitFirst },
  },
});
