import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files of flows that wait for minutes, the longest first: one of them that began last would run alone at the end. Three of them take
 * turns, as they deploy from this checkout, and stand apart so that they seldom wait for each other.
 */
const LONGEST = [
  'action',
  'deploy',
  'verify',
  'endpoint-update',
  'training',
  'quotas',
  'early',
  'endpoint-kinds',
  'lambda-engine',
  'removal',
  'labelled-records',
  'bundles',
  'labelled-parts',
  'command-line',
  'deployer-policy',
  'pipeline-limits',
  'endpoint-accelerators',
  'restart',
  'endpoint',
  'refused-models',
  'review',
  'interruption',
  'probe',
  'tars',
  'heals',
  'rescore',
  'records',
  'pilot',
  'burst',
  'main-job',
  'bad-input',
]
  .map((name) => `/test/flow/${name}.test.ts`)
  .concat(['/lab/mutations/runs.test.ts', '/lab/faults/check-round.test.ts', '/lab/fuzz/fuzz.test.ts']);

/** Vitest's own order, after those files. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.findIndex((end) => moduleId.endsWith(end));
      return place === -1 ? LONGEST.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
