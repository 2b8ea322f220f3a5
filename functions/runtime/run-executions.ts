import type { ExecutionsOf } from '../../src/app/run/start-run.ts';
import { type Executions, executions } from '../../src/aws/states/executions.ts';
import { RUN_KIND_NAMES, RUN_KINDS } from '../../src/run/run-kind.ts';
import { readEnv } from './env.ts';

/** The executions of runs of each kind. */
export function runExecutions(): ExecutionsOf<keyof Executions> {
  const arns = readEnv(...RUN_KIND_NAMES.map((kind) => RUN_KINDS[kind].machine.variable));
  return (kind) => executions({ stateMachineArn: arns[RUN_KINDS[kind].machine.variable] });
}
