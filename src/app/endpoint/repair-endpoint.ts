import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Executions } from '../../aws/states/executions.ts';
import { causeText } from '../../problem/cause-text.ts';
import { parsedJson } from '../../text/parse-json.ts';
import { changeJson } from '../records/endpoint.ts';
import { useCase } from '../use-case.ts';
import { repairChange } from './repair-change.ts';
import { tellOfEndpoint, type TellServices } from './tell-of-endpoint.ts';

/** EventBridge's `Step Functions Execution Status Change`, of executions of `endpoint` that did not succeed. */
const Input = z.object({
  detail: z.object({
    executionArn: z.string(),
    status: z.enum(['FAILED', 'TIMED_OUT', 'ABORTED']),
    /** The execution's input, as JSON text. */
    input: z.string(),
    error: z.string().nullish(),
    cause: z.string().nullish(),
  }),
});

interface RepairEndpointServices extends TellServices {
  readonly store: Pick<ObjectStore, 'bucket' | 'readText' | 'write'>;
  /** Executions of the state machine `endpoint`. */
  readonly executions: Pick<Executions, 'start'>;
}

const Request = z.object({ action: z.enum(['deploy', 'delete', 'restore']), pipeline: z.string() });
type DeadExecution = z.infer<typeof Input>['detail'];

/** Errors that no state can catch, and the machine's own one for a message that couldn't be sent. */
const WITHOUT_MESSAGE = new Set(['States.Runtime', 'States.DataLimitExceeded', 'EndpointNotTold']);

/**
 * Repairs at once what an execution left that was stopped, timed out or could not roll back, and sends a message
 * about it. A repair that fails is left to the sweep, so that repairs do not start each other.
 */
export const repairEndpoint = useCase({
  input: Input,
  /** Outcome of the repair. EventBridge invokes asynchronously, so Lambda discards it. */
  output: z.object({
    pipeline: z.string(),
    /**
     * `mending`: another execution undoes the change and sends the message. `notified`: only a message was due. `nothing`: not even a
     * message was due.
     */
    outcome: z.enum(['mending', 'notified', 'nothing']),
  }),
})(async ({ detail }, services: RepairEndpointServices) => {
  const { store, executions } = services;
  const { action, pipeline } = Request.parse(parsedJson(detail.input));
  const reason = toReason(action, detail);
  const change = await changeJson(pipeline).read(store);
  const isRepairable = detail.status !== 'FAILED' || action === 'deploy';
  if (change?.executionArn === detail.executionArn && isRepairable) {
    await repairChange(executions, pipeline, change, { reason, key: detail.executionArn });
    return { pipeline, outcome: 'mending' };
  }
  if (hasSentMessage(detail)) return { pipeline, outcome: 'nothing' };
  const news = { outcome: 'failed', action: action === 'delete' ? 'delete' : 'deploy', reason } as const;
  await tellOfEndpoint(pipeline, news, services);
  return { pipeline, outcome: 'notified' };
});

/** Whether the execution has sent its message: it has if it ended in a Fail state. */
function hasSentMessage({ status, error }: DeadExecution): boolean {
  return status === 'FAILED' && !WITHOUT_MESSAGE.has(error ?? 'States.Runtime');
}

const ENDS: Readonly<Record<DeadExecution['status'], string>> = {
  FAILED: 'failed',
  TIMED_OUT: 'took longer than its state machine allows',
  ABORTED: 'was stopped',
};

function toReason(action: 'deploy' | 'delete' | 'restore', { status, error, cause }: DeadExecution): string {
  const what = action === 'restore' ? 'go back to the model that served before' : `${action} it`;
  const why = [error, causeText({ error: status === 'FAILED' ? (error ?? '') : '', cause: cause ?? '' })]
    .filter(Boolean)
    .join(': ');
  return `the execution that was to ${what} ${ENDS[status]}${why === '' ? '' : ` (${why})`}`;
}
