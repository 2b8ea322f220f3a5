import type { Check, VerifyServices } from '../check.ts';
import { CPU_INSTANCE, instanceUsd } from '../estimates.ts';
import { failed, type Finding, ok } from '../finding.ts';
import { type TestDropEnd, tryDrop, verificationRun } from '../probe/run.ts';

const FILES = 40;
const HOURS = 0.5;
const SETTINGS = {
  gate: { minAccuracy: 0.5 },
  endpoint: { instanceType: CPU_INSTANCE, autoscaling: { maxInstances: 2 }, ttlHours: 1 },
  limits: { maxCostUsd: 1, maxRuntimeMinutes: 60, inputsPerShard: 1 },
};

/** A drop of its own goes through the deployed stack: every file is a shard. */
export const stackRun: Check = {
  name: 'stack-run',
  asks: `Does a drop of ${FILES} files go through the deployed stack, with ${FILES} shards in its Map?`,
  usd: (region) => instanceUsd(CPU_INSTANCE, region, HOURS),
  run: async (services) => {
    const end = await tryDrop(services, verificationRun(services.id), { files: FILES, settings: SETTINGS });
    return judgeStackRun({ ...end, shards: await countShards(services, end.arn) });
  },
};

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

/** Outcome of a verification's run. */
interface StackRunFacts extends TestDropEnd {
  /** Child executions of the Map run. */
  readonly shards: { readonly succeeded: number; readonly failed: number };
}

/** Whether a drop passes all stages: upload, job, many shards at once, report. */
export function judgeStackRun({ execution, report, shards }: StackRunFacts): Finding {
  const predictions = report && report.total - report.errors;
  const answered = `execution ${execution}; ${shards.succeeded} shards folded, ${shards.failed} failed; ${
    report === undefined ? 'no report' : `report ${report.status} with ${predictions} of ${FILES} predictions`
  }`;
  if (
    report?.status === 'completed' &&
    predictions === FILES &&
    report.gate.verdict === 'passed' &&
    shards.succeeded === FILES
  )
    return ok(
      answered,
      `A drop of ${FILES} files passed all stages, with a function for each of ${FILES} shards.`,
    );
  return failed(
    answered,
    execution.includes('States.Permissions')
      ? 'Step Functions may not start the children of its Map: deploy this release again, and report this file.'
      : 'Runs of this stack do not end well: see the message of the run, and report this file.',
  );
}
