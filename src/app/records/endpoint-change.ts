import type { ObjectStore } from '../../aws/object-store.ts';
import type { Executions } from '../../aws/executions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { EndpointChange, isServingTouched } from '../../endpoint/change.ts';
import { Served } from '../../endpoint/served.ts';

const JSON_TYPE = { contentType: 'application/json' };

/** The change of a pipeline's endpoint that is under way. */
export async function readChange(
  store: Pick<ObjectStore, 'readText'>,
  pipeline: string,
): Promise<EndpointChange | undefined> {
  const text = await store.readText(bucketLayout.endpointChange(pipeline));
  return text === undefined ? undefined : EndpointChange.parse(JSON.parse(text));
}

/**
 * Makes the change ours for one step: it is created where there is none, and taken over where the execution that made it is
 * gone, and with it its last step. Undefined while another execution changes the endpoint.
 */
export async function claimChange(
  store: ObjectStore,
  executions: Pick<Executions, 'describe'>,
  pipeline: string,
  change: EndpointChange,
  now: Date,
): Promise<EndpointChange | undefined> {
  const key = bucketLayout.endpointChange(pipeline);
  if (await store.createIfAbsent(key, JSON.stringify(change), JSON_TYPE)) return change;
  // The ETag first: of all that see the same dead execution, one replaces what it has read.
  const etag = (await store.describe(key))?.etag;
  const found = await readChange(store, pipeline);
  if (etag === undefined || found === undefined) return undefined;
  const replaceBy = async (ours: EndpointChange): Promise<EndpointChange | undefined> =>
    (await store.replace(key, JSON.stringify(ours), etag, JSON_TYPE)) ? ours : undefined;
  if (found.executionArn === change.executionArn) return replaceBy({ ...found, busyUntil: change.busyUntil });
  if (await isRunning(executions, found.executionArn)) return undefined;
  if (found.busyUntil !== null && Date.parse(found.busyUntil) > now.getTime()) return undefined;
  // What a dead update replaced is still what to go back to.
  const inherited = isServingTouched(found);
  const { previousConfigName: known, run } = found;
  const previousConfigName = inherited ? known : (change.previousConfigName ?? known);
  return replaceBy({ ...change, run: change.run ?? run, previousConfigName, inherited });
}

/** Whether an execution may still have something done; one that can be redriven may. */
export async function isRunning(executions: Pick<Executions, 'describe'>, arn: string): Promise<boolean> {
  const execution = await executions.describe(arn);
  return execution?.status === 'RUNNING' || execution?.status === 'PENDING_REDRIVE';
}

/** Writes down how far our change is. */
export async function writeChange(
  store: ObjectStore,
  pipeline: string,
  change: EndpointChange,
): Promise<void> {
  await store.write(bucketLayout.endpointChange(pipeline), JSON.stringify(change), JSON_TYPE);
}

/** Ends our change; another's is left as it is. */
export async function releaseChange(
  store: ObjectStore,
  pipeline: string,
  executionArn: string,
): Promise<void> {
  const found = await readChange(store, pipeline);
  if (found?.executionArn === executionArn) await store.delete(bucketLayout.endpointChange(pipeline));
}

/** What the prediction API knows of a pipeline's endpoint; undefined where it has none. */
export async function readServed(store: ObjectStore, pipeline: string): Promise<Served | undefined> {
  const text = await store.readText(bucketLayout.served(pipeline));
  return text === undefined ? undefined : Served.parse(JSON.parse(text));
}

/** Writes what the prediction API must know. */
export async function writeServed(store: ObjectStore, served: Served): Promise<void> {
  await store.write(bucketLayout.served(served.pipeline), toText(served), JSON_TYPE);
}

/** The same, unless somebody has written since `etag` was read. */
export async function replaceServed(store: ObjectStore, served: Served, etag: string): Promise<boolean> {
  return store.replace(bucketLayout.served(served.pipeline), toText(served), etag, JSON_TYPE);
}

function toText(served: Served): string {
  return `${JSON.stringify(served, null, 2)}\n`;
}
