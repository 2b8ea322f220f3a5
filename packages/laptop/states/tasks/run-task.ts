import type { FunctionInvoker } from '../../kernel/ports.ts';
import type { Integration } from '../definition/integration.ts';
import type { TaskState } from '../definition/machine.ts';
import { withDeadline } from '../engine/deadline.ts';
import type { Engine } from '../engine/engine.ts';
import type { EventDetails } from '../engine/history.ts';
import { takeBegun, type Visit } from '../engine/thread.ts';
import { bindingsOf, wholeNumber } from '../engine/visit.ts';
import type { Json } from '../json.ts';
import { type Payload, payloadOf, withinLimit } from '../payload.ts';
import { errorName, StatesError } from '../states-error.ts';
import { invokeFunction, lambdaInvoke } from './invoke-function.ts';
import type { SdkCalls } from './sdk-calls.ts';
import { callOptimized, callSdk } from './sdk-task.ts';
import { type NestedAttempt, type NestedExecutions, startNested } from './start-execution.ts';
import type { TaskTokens } from './task-tokens.ts';

interface Integrations {
  readonly functions: FunctionInvoker;
  readonly sdk: SdkCalls;
  readonly executions: NestedExecutions;
  readonly tokens: TaskTokens;
  readonly region: string;
}

/** Makes one attempt of a Task: evaluates its arguments, calls its Resource, and records the history. */
export async function runTask(
  engine: Engine,
  integrations: Integrations,
  state: TaskState,
  visit: Visit,
): Promise<Payload> {
  const { executionArn } = takeBegun(visit);
  const token = isTokenTask(state.integration) ? integrations.tokens.open() : undefined;
  try {
    const bindings = bindingsOf(visit, {}, token ? { Task: { Token: token.token } } : {});
    const seconds = async (field: 'TimeoutSeconds' | 'HeartbeatSeconds'): Promise<number | undefined> => {
      const value = state[field];
      return value === undefined ? undefined : wholeNumber(engine, field, value, bindings, 1, 99_999_999);
    };
    const timeoutSeconds = await seconds('TimeoutSeconds');
    const heartbeatSeconds = await seconds('HeartbeatSeconds');
    const args =
      state.Arguments === undefined
        ? { value: visit.input, text: visit.inputText }
        : withinLimit(
            payloadOf(await engine.evaluate(state.Arguments, 'Arguments', bindings)),
            `input of the task '${state.name}'`,
          );
    const words = wordsFor(state.integration, integrations.region);
    visit.thread.log(...words.scheduled(args.text, timeoutSeconds, heartbeatSeconds));
    visit.thread.log(...words.started());
    const late = (): Error => new StatesError(errorName.timeout, undefined);
    const limitMs = timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000;
    try {
      const result = await withDeadline(engine.clock, limitMs, visit.thread.signal, late, async (signal) => {
        // An answer may come after the Task has timed out: the history does not hear of it.
        const submitted = (output: Json): void => {
          const details = {
            ...words.resource,
            output: JSON.stringify(output),
            outputDetails: { truncated: false },
          };
          if (!signal.aborted) visit.thread.log('TaskSubmitted', details);
        };
        const nested = { submitted, joined: executionArn };
        const answer = await call(integrations, state.integration, args.value, signal, nested);
        if (!token) return answer;
        submitted(answer);
        if (heartbeatSeconds !== undefined) token.expectHeartbeats(heartbeatSeconds * 1000);
        return token.result;
      });
      const payload = withinLimit(payloadOf(result), `result of the state/task '${state.name}'`);
      visit.thread.log(...words.succeeded(payload.text));
      return payload;
    } catch (error) {
      if (error instanceof StatesError && !visit.thread.signal.aborted)
        visit.thread.log(...words.failed(error));
      throw error;
    }
  } finally {
    token?.close();
  }
}

function isTokenTask(integration: Integration): boolean {
  return integration.kind !== 'function' && integration.pattern === 'token';
}

async function call(
  { functions, sdk, executions }: Integrations,
  integration: Integration,
  args: Json,
  signal: AbortSignal,
  nested: NestedAttempt,
): Promise<Json> {
  switch (integration.kind) {
    case 'function':
      return invokeFunction(functions, integration.target, args);
    case 'lambda:invoke':
      return lambdaInvoke(functions, args);
    case 'states:startExecution':
      return startNested(executions, integration.pattern, args, signal, nested);
    case 'sns:publish':
      return callOptimized(sdk, { service: 'sns', action: 'publish', textField: 'Message' }, args);
    case 'sqs:sendMessage':
      return callOptimized(sdk, { service: 'sqs', action: 'sendMessage', textField: 'MessageBody' }, args);
    case 'aws-sdk':
      return callSdk(sdk, integration.service, integration.action, args);
  }
}

type Event = [type: string, details?: EventDetails];

interface Words {
  readonly resource: EventDetails;
  scheduled(
    parameters: string,
    timeoutSeconds: number | undefined,
    heartbeatSeconds: number | undefined,
  ): Event;
  started(): Event;
  succeeded(output: string): Event;
  failed(error: StatesError): Event;
}

const timeouts: ReadonlySet<string | undefined> = new Set([errorName.timeout, errorName.heartbeatTimeout]);

/** The history's words: a Task that names a function directly has its own. */
function wordsFor(integration: Integration, region: string): Words {
  const outputDetails = { truncated: false };
  if (integration.kind === 'function') {
    const { target } = integration;
    return {
      resource: {},
      scheduled: (input, timeoutInSeconds) => [
        'LambdaFunctionScheduled',
        { resource: target, input, inputDetails: { truncated: false }, timeoutInSeconds },
      ],
      started: () => ['LambdaFunctionStarted'],
      succeeded: (output) => ['LambdaFunctionSucceeded', { output, outputDetails }],
      failed: ({ error, causeText }) => [
        timeouts.has(error) ? 'LambdaFunctionTimedOut' : 'LambdaFunctionFailed',
        { error, cause: causeText },
      ],
    };
  }
  const resource = resourceWords(integration);
  return {
    resource,
    scheduled: (parameters, timeoutInSeconds, heartbeatInSeconds) => [
      'TaskScheduled',
      { ...resource, region, parameters, timeoutInSeconds, heartbeatInSeconds },
    ],
    started: () => ['TaskStarted', resource],
    succeeded: (output) => ['TaskSucceeded', { ...resource, output, outputDetails }],
    failed: ({ error, causeText }) => [
      timeouts.has(error) ? 'TaskTimedOut' : 'TaskFailed',
      { ...resource, error, cause: causeText },
    ],
  };
}

const SUFFIX = { request: '', sync: '.sync', 'sync:2': '.sync:2', token: '.waitForTaskToken' } as const;

function resourceWords(integration: Exclude<Integration, { kind: 'function' }>): {
  resourceType: string;
  resource: string;
} {
  const suffix = SUFFIX[integration.pattern];
  if (integration.kind === 'aws-sdk') {
    return { resourceType: `aws-sdk:${integration.service}`, resource: `${integration.action}${suffix}` };
  }
  const [resourceType = '', action = ''] = integration.kind.split(':');
  return { resourceType, resource: `${action}${suffix}` };
}
