import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, flows that wait for minutes before them: one of them that began last would run alone at
 * the end. Three of them take turns (deploy, removal, deployer-policy), as they deploy from this checkout, and stand
 * apart so that they seldom wait for each other.
 */
const LONGEST = [
  'training',
  'action',
  'deploy',
  'verify',
  'endpoint-update',
  'quotas',
  'early',
  'endpoint-kinds',
  'lambda-engine',
  'removal',
  'labeled-records',
  'bundles',
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
  .concat(
    [
      'lab/mutations/runs',
      'lab/faults/check-round',
      'bundle-handler',
      'fifth-kind',
      'transform-resume',
      'operation-cases',
      'test/model/drop',
      'tensorflow-container',
      'independent-rows',
      'handler-attacks',
      'unit/cli/init',
      'base-branch',
      'transform/rounds',
      'exact-hosts',
      'fuzz',
      'torch-bundles',
      'open-archive',
      'killed-shard',
      'model-commands',
      'on-a-terminal',
      'bundle-outputs',
      'lockfile',
    ].map((name) => `/${name}.test.ts`),
  );

/**
 * Vitest's own order, after those files; flows that share stacks come last and in one row, since a worker with another file
 * next ends its stack.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const place = LONGEST.findIndex((end) => moduleId.endsWith(end));
      const shared = project.name === 'shared-stack' ? LONGEST.length + 1 : 0;
      return shared + (place === -1 ? LONGEST.length : place);
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
