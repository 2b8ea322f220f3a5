import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The folders to judge, set by `npm run lab -- mutants`: for example, `src/drop,src/app/drop`. */
const folders = (process.env.MUTATED_FOLDERS ?? '').split(',');

/** Whether only their own tests judge: a minute or two a folder, and a lower bound on the share that all tests notice. */
const isByUnit = process.env.MUTANTS_BY_UNIT === '1';

/** The area of src/app that uses a noun, if it has another name. */
const USED_BY: Readonly<Record<string, string>> = {
  gate: 'report',
  label: 'report',
  metric: 'report',
  notice: 'report',
  prediction: 'report',
  model: 'plan',
  pipeline: 'plan',
  price: 'plan',
  problem: 'plan',
  concurrency: 'drop',
  run: 'drop',
  text: 'drop',
};

/** Areas that are also tested by their users: every area reads and writes records. */
const TESTED_WITH: Readonly<Record<string, readonly string[]>> = {
  run: ['drop'],
  records: ['*'],
};

/** The tests of a folder and, unless only these are wanted, of the code that uses it. */
function testsOf(folder: string): string[] {
  const [, noun = '*', area = '*'] = folder.split('/');
  const [own, further] =
    noun === 'app'
      ? [[area, ...(TESTED_WITH[area] ?? [])].map((name) => `app/${name}`), ['app', 'functions']]
      : [[`unit/${noun}`], [`app/${USED_BY[noun] ?? noun}`]];
  return [...own, ...(isByUnit ? [] : further)].map((tests) => `test/${tests}/**/*.test.ts`);
}

/** Seconds each. The mutants that only they notice aren't worth every mutant's wait; the second stage has time for drawn tallies. */
const SLOW = [
  'app/drop/burst.test.ts',
  'app/drop/retention.test.ts',
  'app/transform/transform-resume.test.ts',
  'unit/prediction/read-output-limits.test.ts',
  'unit/prediction/read-output-memory.test.ts',
  'unit/report/many-classes.test.ts',
  ...(isByUnit ? ['unit/metric/merge.test.ts', 'app/endpoint/stopped-anywhere.test.ts'] : []),
];

/** The unit tests first: they take the least time, and the first failure settles a mutant. */
class UnitFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => (moduleId.includes('/test/unit/') ? 0 : 1);
    return [...files].sort((a, b) => rank(a) - rank(b));
  }
}

/** Tests that judge mutants: those that need neither a stack nor another process. */
export default defineConfig({
  test: {
    include: folders.flatMap(testsOf),
    exclude: SLOW.map((name) => `test/${name}`),
    globalSetup: 'test/support/own-temporary-folder.ts',
    // For a loaded machine's first run, which measures; StrykerJS itself stops a mutant that takes too long.
    testTimeout: 600_000,
    hookTimeout: 60_000,
    // Files share what they import, which is most of a mutant's time; no test replaces a module or leaves one changed.
    isolate: false,
    sequence: { sequencer: UnitFirst },
  },
});
