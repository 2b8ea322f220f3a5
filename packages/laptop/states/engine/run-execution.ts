import { errorName, StatesError } from '../states-error.ts';
import { reasonOf } from './deadline.ts';
import type { Engine } from './engine.ts';
import { type Ending, type Execution, ExecutionStopped, ExecutionTimedOut } from './execution.ts';
import { Scope, Thread } from './thread.ts';

/** Runs an execution to its end, or on from where it was interrupted, and writes its first and its last event. Never rejects. */
export async function runExecution(engine: Engine, execution: Execution): Promise<Ending> {
  const { controller, history, input, machine, identity, interruption } = execution;
  const scope = new Scope();
  if (interruption) scope.assign(interruption.variables);
  const lastEventId = history.events.length;
  const thread = new Thread(execution, { scope, signal: controller.signal, lastEventId });
  if (lastEventId === 0)
    thread.log('ExecutionStarted', {
      input: input.text,
      inputDetails: { truncated: false },
      roleArn: identity.roleArn,
      stateMachineVersionArn: undefined,
    });
  const late = (): void => controller.abort(new ExecutionTimedOut());
  const untilMs =
    machine.timeoutSeconds === undefined ? Infinity : execution.startMs + machine.timeoutSeconds * 1000;
  const leftMs = untilMs - engine.clock.now();
  if (leftMs <= 0) late();
  const cancel = untilMs === Infinity ? (): void => undefined : engine.clock.after(leftMs, late);
  let ending: Ending;
  try {
    const output = await engine.runBlock(machine, input, thread, interruption);
    ending = { status: 'SUCCEEDED', output: output.text };
  } catch (thrown) {
    ending = endingOf(controller.signal.aborted ? reasonOf(controller.signal) : thrown);
  } finally {
    cancel();
  }
  const [type, details] = lastEvent(ending);
  history.add(type, details, thread.lastEventId, true);
  return ending;
}

function endingOf(thrown: unknown): Ending {
  if (thrown instanceof ExecutionStopped)
    return { status: 'ABORTED', error: thrown.error, cause: thrown.causeText };
  if (thrown instanceof ExecutionTimedOut)
    return { status: 'TIMED_OUT', error: errorName.timeout, cause: undefined };
  if (thrown instanceof StatesError)
    return { status: 'FAILED', error: thrown.error, cause: thrown.causeText };
  // A defect of the engine, reported in full where the user will see it.
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return { status: 'FAILED', error: errorName.runtime, cause: `The local engine failed: ${text}` };
}

function lastEvent(ending: Ending): [string, Record<string, string | { truncated: boolean } | undefined>] {
  switch (ending.status) {
    case 'SUCCEEDED':
      return ['ExecutionSucceeded', { output: ending.output, outputDetails: { truncated: false } }];
    case 'FAILED':
      return ['ExecutionFailed', { error: ending.error, cause: ending.cause }];
    case 'ABORTED':
      return ['ExecutionAborted', { error: ending.error, cause: ending.cause }];
    case 'TIMED_OUT':
      return ['ExecutionTimedOut', { error: ending.error, cause: ending.cause }];
  }
}
