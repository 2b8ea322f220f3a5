import type { Executions } from '../../../aws/states/executions.ts';
import { Condition } from '../../../problem/conditions.ts';
import { toExecutionName } from '../../../run/execution-name.ts';
import { isAlive } from '../../../run/execution-status.ts';
import type { RunParts } from '../../../run/run-id.ts';
import { reportFigures } from '../../records/run-index.ts';
import type { VerifyServices } from '../check.ts';
import { lookUntil } from '../look-until.ts';
import { dropTestFiles } from './drop.ts';
import { VERIFY_PIPELINE } from './name.ts';

/** The run of a verification through the whole stack. */
export function verificationRun(id: string): RunParts {
  return { kind: 'inference', pipeline: VERIFY_PIPELINE, drop: id, generation: '000001' };
}

/** The run of a verification that functions answer. */
export function functionRun(id: string): RunParts {
  return { ...verificationRun(id), drop: `${id}-lambda` };
}

/** Outcome of a drop of test files. */
export interface TestDropEnd {
  /** Final state of its execution, with error and cause where it has them. */
  readonly execution: string;
  /** Undefined if there is no report. */
  readonly report:
    | {
        readonly status: string;
        readonly total: number;
        readonly errors: number;
        readonly costUsd: number | null;
        readonly gate: { readonly verdict: string };
      }
    | undefined;
}

/** Drops test files into the stack, and waits for the end of their run. */
export async function tryDrop(
  services: VerifyServices,
  run: RunParts,
  drop: Parameters<typeof dropTestFiles>[2],
): Promise<TestDropEnd & { readonly arn: string }> {
  const { store, executions } = services;
  await dropTestFiles(store, run, drop);
  const arn = executions.arnOf(toExecutionName(run));
  const execution = await awaitExecution(executions, arn, services);
  return { arn, execution, report: await reportFigures(run).read(store) };
}

const MAX_MS = 60 * 60_000;

/**
 * Waits for the end of an execution, which need not have begun; its final status, with error and cause where it has them.
 *
 * @throws {ExecutionTooSlow}
 */
export async function awaitExecution(
  executions: Pick<Executions, 'describe'>,
  arn: string,
  services: Pick<VerifyServices, 'wait' | 'pollMs' | 'clock'>,
  maxMs = MAX_MS,
): Promise<string> {
  const end = await lookUntil(
    async () => {
      const found = await executions.describe(arn);
      return isAlive(found) ? undefined : found;
    },
    { ...services, maxMs },
  );
  if (end === undefined)
    throw new Condition('ExecutionTooSlow', `${arn} has not ended within ${maxMs / 60_000} minutes`);
  return [end.status, end.error, end.cause].filter((part) => part !== undefined).join(' ');
}
