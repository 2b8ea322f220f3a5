import type { Check, VerifyServices } from '../check.ts';
import { type Finding, ok, warning } from '../finding.ts';
import { outputOf } from '../verified-stack.ts';

/** Cap on the executions that are read: histories are long, and the newest failures suffice. */
const EXECUTIONS = 20;
const CHILDREN = 10;

/** Names that Step Functions gave to the errors of the stack's executions. */
export const errorNames: Check = {
  name: 'error-names',
  asks: 'Under which names did Step Functions report errors, and do the state machines name them?',
  usd: null,
  run: async ({ stack, machines, executions }) => {
    const arns = [
      outputOf(stack, 'StateMachineArn'),
      outputOf(stack, 'TrainingMachineArn'),
      outputOf(stack, 'EndpointMachineArn'),
    ];
    const known = new Set<string>();
    const seen = new Map<string, SeenError>();
    const note = (name: string, where: string): void =>
      void seen.set(name, { name, where, count: (seen.get(name)?.count ?? 0) + 1 });
    let looked = 0;
    for (const stateMachineArn of arns) {
      const definition = await machines.definition(stateMachineArn);
      for (const name of namesIn(definition)) known.add(name);
      for (const status of ['FAILED', 'TIMED_OUT'] as const) {
        for (const arn of await machines.newest({ stateMachineArn }, status, EXECUTIONS)) {
          looked += 1;
          await noteErrors(executions, arn, 'a step', note);
          for (const mapRunArn of await machines.mapRuns(arn))
            for (const child of await machines.newest({ mapRunArn }, status, CHILDREN))
              await noteErrors(executions, child, 'a shard', note);
        }
      }
    }
    return judgeErrorNames([...seen.values()], known, looked);
  },
};

async function noteErrors(
  executions: VerifyServices['executions'],
  arn: string,
  where: string,
  note: (name: string, where: string) => void,
): Promise<void> {
  for await (const { error } of executions.history(arn, { newestFirst: true }))
    if (error !== undefined) note(error, where);
}

/** Names in every `ErrorEquals` of a definition. */
function namesIn(definition: string): readonly string[] {
  return [...definition.matchAll(/"ErrorEquals"\s*:\s*\[([^[\]]*)\]/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name),
  );
}

/** An error that an execution met, and how often. */
interface SeenError {
  readonly name: string;
  readonly count: number;
  readonly where: string;
}

/** Step Functions and Lambda report their own conditions with these prefixes; the names after them are not documented. */
const OF_SERVICES = /^(States|Lambda|Sandbox|Runtime|StepFunctions|SageMaker|S3)\./;

/** Whether the state machines know the names under which AWS reported its own errors. */
export function judgeErrorNames(
  seen: readonly SeenError[],
  known: ReadonlySet<string>,
  executions: number,
): Finding {
  const services = seen.filter(({ name }) => OF_SERVICES.test(name));
  const unknown = services.filter(({ name }) => !known.has(name));
  const list = seen.map(({ name, count, where }) => `${name} (${count}, ${where})`).join(', ');
  const answered = `${executions} executions that failed or timed out; ${list === '' ? 'no error in them' : list}`;
  if (unknown.length > 0)
    return warning(
      answered,
      `The state machines retry by name, and do not name ${unknown.map(({ name }) => name).join(', ')}: such a step ` +
        'is not tried again. Report this file.',
    );
  return ok(
    answered,
    services.length === 0
      ? 'No step has met a time-out, a lack of memory or a throttled function yet, so the names that AWS gives them are unconfirmed.'
      : 'Every error of AWS that a step has met is named in the state machines.',
  );
}
