import type { FunctionInvoker } from '../../kernel/ports.ts';
import type { Integration } from '../definition/integration.ts';
import type { TaskState } from '../definition/machine.ts';
import { withDeadline } from '../engine/deadline.ts';
import type { Engine } from '../engine/engine.ts';
import type { Visit } from '../engine/thread.ts';
import { bindingsOf, wholeNumber } from '../engine/visit.ts';
import type { Json } from '../json.ts';
import { type Payload, payloadOf, withinLimit } from '../payload.ts';
import { errorName, StatesError } from '../states-error.ts';
import { lambdaInvoke } from './invoke-function.ts';
import { type StartedExecutions, startExecution } from './start-execution.ts';

interface Integrations {
  readonly functions: FunctionInvoker;
  readonly executions: StartedExecutions;
}

/** Makes one attempt of a Task: evaluates its arguments, calls its Resource, and records the history. */
export async function runTask(
  engine: Engine,
  integrations: Integrations,
  region: string,
  state: TaskState,
  visit: Visit,
): Promise<Payload> {
  const { thread } = visit;
  const bindings = bindingsOf(visit);
  const timeoutInSeconds =
    state.TimeoutSeconds === undefined
      ? undefined
      : await wholeNumber(engine, 'TimeoutSeconds', state.TimeoutSeconds, bindings, 1, 99_999_999);
  const args =
    state.Arguments === undefined
      ? { value: visit.input, text: visit.inputText }
      : withinLimit(
          payloadOf(await engine.evaluate(state.Arguments, 'Arguments', bindings)),
          `input of the task '${state.name}'`,
        );
  const [resourceType = '', action = ''] = state.integration.split(':');
  const resource = { resourceType, resource: action };
  thread.log('TaskScheduled', { ...resource, region, parameters: args.text, timeoutInSeconds });
  thread.log('TaskStarted', resource);
  try {
    const result = await withDeadline(
      engine.clock,
      timeoutInSeconds === undefined ? undefined : timeoutInSeconds * 1000,
      thread.signal,
      () => new StatesError(errorName.timeout, undefined),
      () => call(integrations, state.integration, args.value),
    );
    const payload = withinLimit(payloadOf(result), `result of the state/task '${state.name}'`);
    thread.log('TaskSucceeded', { ...resource, output: payload.text, outputDetails: { truncated: false } });
    return payload;
  } catch (error) {
    if (error instanceof StatesError && !thread.signal.aborted)
      thread.log(error.error === errorName.timeout ? 'TaskTimedOut' : 'TaskFailed', {
        ...resource,
        error: error.error,
        cause: error.causeText,
      });
    throw error;
  }
}

async function call(
  { functions, executions }: Integrations,
  integration: Integration,
  args: Json,
): Promise<Json> {
  switch (integration) {
    case 'lambda:invoke':
      return lambdaInvoke(functions, args);
    case 'states:startExecution':
      return startExecution(executions, args);
  }
}
