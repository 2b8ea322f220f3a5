import { bucketLayout } from '../../../run/bucket-layout.ts';
import { toExecutionName } from '../../../run/execution-name.ts';
import { toRunId } from '../../../run/run-id.ts';
import { CPU_INSTANCE, instanceUsd } from '../../../verify/estimates.ts';
import { VERIFY_PIPELINE } from '../../../verify/probe-name.ts';
import { judgeStackRun } from '../../../verify/stack-run.ts';
import { reportFigures } from '../../records/run-index.ts';
import type { Check, VerifyServices } from '../check.ts';
import { testArchive } from '../test-archive.ts';
import { awaitExecution, verificationRun } from '../verification-run.ts';

const FILES = 40;
const HOURS = 0.5;

/** A drop of its own goes through the deployed stack: every file is a shard. */
export const stackRun: Check = {
  name: 'stack-run',
  asks: `Does a drop of ${FILES} files go through the deployed stack, with ${FILES} shards in its Map?`,
  usd: (region) => instanceUsd(CPU_INSTANCE, region, HOURS),
  run: async (services) => {
    const { store, executions, id } = services;
    const run = verificationRun(id);
    await store.write(bucketLayout.pipelineModel(VERIFY_PIPELINE), await testArchive());
    await store.write(bucketLayout.pipelineConfig(VERIFY_PIPELINE), JSON.stringify(pipelineConfig()));
    const incoming = bucketLayout.dropFolder(run);
    for (let file = 1; file <= FILES; file++) await store.write(`${incoming}yes-${file}.png`, `file ${file}`);
    await store.write(`${incoming}_READY`, '');
    const arn = executions.arnOf(toExecutionName(run));
    const ended = await awaitExecution(executions, arn, services);
    const report = await reportFigures(run).read(store);
    return judgeStackRun({
      execution: [ended.status, ended.error, ended.cause].filter((part) => part !== undefined).join(' '),
      files: FILES,
      report: report && {
        status: report.status,
        predictions: report.total - report.errors,
        gatePassed: report.gate.verdict === 'passed',
      },
      shards: await countShards(services, arn),
    });
  },
};

/** Every answer of the test model is class `yes`, and so is every name. */
function pipelineConfig() {
  return {
    model: { framework: 'tensorflow', frameworkVersion: '2.19.0' },
    transform: { contentType: 'application/x-image', instanceTypes: [CPU_INSTANCE] },
    labels: { classes: ['yes', 'no'], truth: { from: 'key', pattern: '(yes)-' } },
    gate: { minAccuracy: 0.5 },
    endpoint: { instanceType: CPU_INSTANCE, autoscaling: { maxInstances: 2 }, ttlHours: 1 },
    drop: { quietSeconds: 1 },
    limits: { maxCostUsd: 1, maxRuntimeMinutes: 60, inputsPerShard: 1 },
  };
}

async function countShards(
  { machines }: Pick<VerifyServices, 'machines'>,
  arn: string,
): Promise<{ readonly succeeded: number; readonly failed: number }> {
  const counts = { succeeded: 0, failed: 0 };
  for (const mapRunArn of await machines.mapRuns(arn)) {
    counts.succeeded += (await machines.newest({ mapRunArn }, 'SUCCEEDED', 100)).length;
    counts.failed += (await machines.newest({ mapRunArn }, 'FAILED', 100)).length;
  }
  return counts;
}

/** The run as the endpoint's state machine names it. */
export function stackRunId(id: string): string {
  return toRunId(verificationRun(id));
}
