import * as z from 'zod';
import { toExecutionName } from '../../src/run/execution-name.ts';
import { isPipelineName, parseRunId, toRunId } from '../../src/run/run-id.ts';
import { parsedJson } from '../../src/text/parse-json.ts';

/** Names of the things that one event is about; missing ones are left out. */
export interface Subject {
  readonly run?: string;
  readonly pipeline?: string;
  /** Name of the execution in its state machine. */
  readonly execution?: string;
  readonly attempt?: number;
  readonly job?: string;
  readonly shard?: number;
  readonly endpoint?: string;
  /** Id of the request in the API's access log. */
  readonly apiRequest?: string;
}

const name = z.string().optional().catch(undefined);
const count = z.int().optional().catch(undefined);

/** Known fields of the inputs that state machines, EventBridge and API Gateway send; every field may be missing or of another kind. */
const Names = z
  .object({
    run: name,
    pipeline: name,
    executionArn: name,
    attempt: count,
    jobName: name,
    shard: count,
    Items: z
      .tuple([z.object({ run: name })], z.unknown())
      .optional()
      .catch(undefined),
    endpointName: name,
    detail: z.object({ executionArn: name, input: name }).optional().catch(undefined),
    pathParameters: z.object({ pipeline: name, drop: name, generation: name }).optional().catch(undefined),
    requestContext: z.object({ requestId: name }).optional().catch(undefined),
  })
  .catch({});
/** The input of an ended execution. */
const Ended = z.object({ run: name, pipeline: name }).catch({});

/**
 * The names in an event that every log line of its invocation carries. Nothing else of the event is read, and a run or pipeline
 * that is not one by its form is left out: a caller of the API chooses the text of its path.
 */
export function subjectOf(event: unknown): Subject {
  const { detail, pathParameters, requestContext, Items: [first] = [], ...given } = Names.parse(event);
  // A batch of bundles is of one run.
  const own = { ...given, run: given.run ?? first?.run };
  const ended = Ended.parse(parsedJson(detail?.input ?? ''));
  const path =
    pathParameters?.generation === undefined
      ? undefined
      : `${pathParameters.pipeline}/${pathParameters.drop}/${pathParameters.generation}`;
  const run = parseRunId(own.run ?? ended.run ?? path ?? '');
  const pipeline = own.pipeline ?? ended.pipeline ?? pathParameters?.pipeline ?? run?.pipeline;
  const executionArn = own.executionArn ?? detail?.executionArn;
  // A run's step that doesn't get its execution in its input is in the one named for the run; changes of endpoints have other executions.
  const isOfRun = own.run !== undefined && own.pipeline === undefined && own.endpointName === undefined;
  const execution = executionArn?.split(':').at(-1) ?? (run && isOfRun ? toExecutionName(run) : undefined);
  const subject = {
    run: run && toRunId(run),
    pipeline: pipeline !== undefined && isPipelineName(pipeline) ? pipeline : undefined,
    execution,
    attempt: own.attempt,
    job: own.jobName,
    shard: own.shard,
    endpoint: own.endpointName,
    apiRequest: requestContext?.requestId,
  };
  return Object.fromEntries(Object.entries(subject).filter(([, value]) => value !== undefined));
}
