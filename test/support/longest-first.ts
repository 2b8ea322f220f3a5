import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files of flows that wait for minutes, the longest first: one of them that began last would run alone at the end. Three of them take
 * turns, as they deploy from this checkout, and stand apart so that they seldom wait for each other.
 */
const LONGEST = [
  'lambda-engine',
  'deploy',
  'endpoint-kinds',
  'verify',
  'endpoint-update',
  'training',
  'quotas',
  'early',
  'labelled-parts',
  'removal',
  'labelled-records',
  'command-line',
  'bad-input',
  'heals',
  'review',
  'deployer-policy',
  'probe',
  'restart',
  'rescore',
  'endpoint',
  'tars',
  'bundles',
  'interruption',
].map((name) => `/test/flow/${name}.test.ts`);

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
