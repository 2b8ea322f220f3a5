import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Runtime } from '../../aws/sagemaker/runtime.ts';
import { interleave, sampleRanges, wholeLines } from '../../endpoint/sample-ranges.ts';
import { objectOf } from '../../input/input.ts';
import { taskPlan } from '../../plan/output-shape.ts';
import type { ScoringPlan } from '../../plan/scoring-plan.ts';
import { OutputError } from '../../prediction/output-error.ts';
import { Condition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts, toRunId } from '../../run/run-id.ts';
import { TASKS } from '../../tasks/tasks.ts';
import { drawn } from '../../text/name-draw.ts';
import { quoted } from '../../text/shell-quoted.ts';
import { opensFiles } from '../../transform/one-record.ts';
import { openOutputs } from '../outputs/open-outputs.ts';
import { servedJson } from '../records/endpoint.ts';
import { readInput } from '../records/open-input.ts';
import { readFromTar } from '../records/read-from-tar.ts';
import { parseReconciled, type ReconciledEntry } from '../records/reconciled.ts';
import { scoringPlanJson } from '../records/scoring-plan.ts';
import { useCase } from '../use-case.ts';

/** `disagrees` rolls the deployment back, and its `reason` is in the message. */
const Output = z.object({
  status: z.enum(['agrees', 'disagrees']),
  /** Inputs with compared real-time answers. */
  tested: z.int().nonnegative(),
  /** Why the endpoint must not serve; null if all answers agree. */
  reason: z.string().nullable(),
});

interface TestEndpointServices {
  readonly store: ObjectStore;
  readonly runtime: Runtime;
  /** Resolves after `ms` milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
}

const INPUTS = 20;
/** Candidates for each tested input, since inputs may have changed after the run. */
const SPARE = 3;
/** Bytes of a line with the longest key. */
const WINDOW_BYTES = 64 * 1024;
/** InvokeEndpoint takes no more, and serverless endpoints 4 MB. */
const MAX_INPUT_BYTES = 4 * 2 ** 20;
const AT_ONCE = 4;
/** Errors of an endpoint that is starting: a serverless one, or one with an inference component without copies yet. */
const NOT_AWAKE = ['ModelNotReady', 'EndpointAsleep'];
/** Errors of an invocation that are the model's: it fails, is never ready, or takes longer than callers wait. */
const FAILURES = ['ModelError', ...NOT_AWAKE, 'InvocationAborted'];
/** Pauses before calling a starting endpoint again. */
const WAKE_PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000];

/**
 * State `TestEndpoint`: sends the endpoint 20 of the run's own inputs, drawn from all of them. Its answers must agree with batch
 * transform's, which the gate has judged. The second test of a deployment takes 20 others, if there are any.
 */
export const testEndpoint = useCase({
  /** Sent by state `TestEndpoint`: if an endpoint already serves, first with the candidate's name, then with the endpoint's own. */
  input: z.object({
    run: RunParts,
    endpointName: z.string(),
    /** The configuration, or the inference component of its name, that is tested. */
    configName: z.string().nullish(),
    /** Whether the model has passed on a candidate: the endpoint is then tested with other inputs. */
    proof: z.enum(['needed', 'given']),
  }),
  output: Output,
})(async ({ run, endpointName, configName, proof }, services: TestEndpointServices) => {
  const plan = await scoringPlanJson(run).require(services.store);
  const { splitType } = plan.transform;
  if (splitType !== 'None' && !opensFiles(plan.transform))
    return failed(0, `inputs cut as ${splitType} cannot be sent one by one to compare the answers`);
  const served = await servedJson(run.pipeline).read(services.store);
  const { component = null } =
    Object.values(served?.variants ?? {}).find((one) => one.configName === configName) ?? {};
  const outputs = openOutputs(services.store, run, plan);
  const candidates = await sample(services.store, run);
  const waiting = interleave(candidates, SPARE, proof === 'needed' ? 0 : 1).values();
  let tested = 0;
  let reason: string | undefined;
  const work = async (): Promise<void> => {
    for (const entry of waiting) {
      if (reason !== undefined || tested >= INPUTS) return;
      const body = await readUnchanged(services.store, plan, entry);
      const batch = await outputs.read(entry.output);
      if (body === undefined || batch === undefined) continue;
      tested += 1;
      const found = await compare(services, { endpointName, component }, plan, body, batch);
      if (found !== undefined) reason ??= `${JSON.stringify(entry.name)}: ${found}`;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (reason !== undefined) return failed(tested, reason);
  if (tested === 0)
    return failed(
      0,
      `none of the run's inputs and outputs is still there as it was, so no answer can be compared: inferdrop rerun ` +
        `${quoted(toRunId(run))}, or drop the inputs again where they have expired`,
    );
  return { status: 'agrees', tested: Math.min(tested, INPUTS), reason: null };
});

function failed(tested: number, reason: string): z.infer<typeof Output> {
  return { status: 'disagrees', tested, reason };
}

/** Inputs with a prediction from all over the run, with some to spare for those that have changed. */
async function sample(store: ObjectStore, run: RunParts): Promise<readonly ReconciledEntry[]> {
  const key = bucketLayout.reconciled(run);
  const info = await store.describe(key);
  if (info === undefined) throw new Condition('RunFileMissing', `${key} is not there`);
  const found = new Map<string, ReconciledEntry>();
  for (const range of sampleRanges(info.size, INPUTS, WINDOW_BYTES)) {
    const bytes = await store.readBytes(key, range);
    const lines = wholeLines(new TextDecoder().decode(bytes), range, info.size);
    const whole = range.end - range.start === info.size;
    for (const line of whole ? lines : lines.slice(0, 10)) {
      const entry = parseReconciled(line);
      if (entry.output !== undefined && entry.size <= MAX_INPUT_BYTES) found.set(entry.name, entry);
    }
  }
  return drawn([...found.values()], SPARE * INPUTS, ({ name }) => name);
}

/** The input as the run had it; undefined if it has changed. */
async function readUnchanged(
  store: ObjectStore,
  { input }: ScoringPlan,
  entry: ReconciledEntry,
): Promise<Uint8Array | undefined> {
  const source = store.in(input.bucket);
  const object = objectOf(entry);
  const now = await source.describe(object.key);
  if (now?.etag !== object.etag) return undefined;
  return (await readInput(source, entry)) ?? (await readFromTar(source, entry));
}

async function compare(
  { runtime, pause }: TestEndpointServices,
  { endpointName, component }: { readonly endpointName: string; readonly component: string | null },
  plan: ScoringPlan,
  body: Uint8Array,
  batch: Uint8Array,
): Promise<string | undefined> {
  const { contentType, accept } = plan.transform;
  const request = { contentType, accept, body, ...(component !== null && { component }) };
  let live: Uint8Array;
  try {
    live = (await invokeAwake(runtime, endpointName, request, pause)).body;
  } catch (error) {
    if (!(error instanceof Error) || !FAILURES.includes(error.name)) throw error;
    return `the endpoint failed (${error.message})`;
  }
  if (Buffer.from(batch).equals(live)) return undefined;
  try {
    const found = TASKS[plan.labels.task].disagreement(batch, live, taskPlan(plan));
    return found && `the endpoint answered ${found}`;
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    return `the endpoint's answer cannot be read (${error.message})`;
  }
}

async function invokeAwake(
  runtime: Runtime,
  endpointName: string,
  request: Parameters<Runtime['invoke']>[1],
  pause: (ms: number) => Promise<void>,
): ReturnType<Runtime['invoke']> {
  for (const ms of WAKE_PAUSES_MS) {
    try {
      return await runtime.invoke(endpointName, request);
    } catch (error) {
      if (!(error instanceof Error) || !NOT_AWAKE.includes(error.name)) throw error;
      await pause(ms);
    }
  }
  return runtime.invoke(endpointName, request);
}
