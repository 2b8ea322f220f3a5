import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Executions } from '../../aws/states/executions.ts';
import { EndpointChange, isServingTouched } from '../../endpoint/change.ts';
import { Served } from '../../endpoint/served.ts';
import { FunctionConfig, FunctionEndpoint } from '../../endpoints/function/function-model.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { isAlive } from '../../run/execution-status.ts';
import { jsonDocument } from './document.ts';

const remedy = 'delete this object, then deploy or delete the endpoint again';

/** The document that tells the prediction API about a pipeline's endpoint; absent without one. */
export const servedJson = jsonDocument({
  key: bucketLayout.served,
  schema: Served,
  remedy,
  write: 'exchange',
  indent: 2,
});

/** The components that this document names, if it does: a stack is removed whichever build stored it. */
export const servedComponentsJson = jsonDocument({
  key: bucketLayout.served,
  schema: z.object({
    variants: z.record(z.string(), z.object({ component: z.string().nullish() })).optional(),
  }),
  write: 'elsewhere',
});

/** The change of a pipeline's endpoint that is under way. */
export const changeJson = jsonDocument({
  key: bucketLayout.endpointChange,
  schema: EndpointChange,
  remedy,
  write: 'exchange',
});

/** An endpoint of type lambda. */
export const functionEndpointJson = jsonDocument({
  key: bucketLayout.functionEndpoint,
  schema: FunctionEndpoint,
  remedy,
  write: 'exchange',
});

/** A configuration of an endpoint of type lambda; its name comes from its content. */
export const functionConfigJson = jsonDocument({
  key: bucketLayout.functionConfig,
  schema: FunctionConfig,
  remedy,
  write: 'replace',
});

/**
 * Claims the change for one step: creates it, or takes it over if the execution that made it and its last step have
 * ended. Undefined while another execution changes the endpoint.
 */
export async function claimChange(
  store: ObjectStore,
  executions: Pick<Executions, 'describe'>,
  pipeline: string,
  change: EndpointChange,
  now: Date,
): Promise<EndpointChange | undefined> {
  const document = changeJson(pipeline);
  if (await document.create(store, change)) return change;
  // If several steps see the same dead execution, one succeeds: the ETag is compared.
  const version = await document.open(store);
  if (version === undefined) return undefined;
  const { value: found, etag } = version;
  const replaceBy = async (ours: EndpointChange): Promise<EndpointChange | undefined> =>
    (await document.replace(store, ours, etag)) ? ours : undefined;
  if (found.executionArn === change.executionArn) return replaceBy({ ...found, busyUntil: change.busyUntil });
  if (await isRunning(executions, found.executionArn)) return undefined;
  if (found.busyUntil !== null && Date.parse(found.busyUntil) > now.getTime()) return undefined;
  // A roll-back still goes to the configuration that the dead update replaced.
  const inherited = isServingTouched(found);
  const { previousConfigName: known, run } = found;
  const previousConfigName = inherited ? known : (change.previousConfigName ?? known);
  return replaceBy({ ...change, run: change.run ?? run, previousConfigName, inherited });
}

/** Whether an execution may still act; one that can be redriven may. */
export async function isRunning(executions: Pick<Executions, 'describe'>, arn: string): Promise<boolean> {
  const execution = await executions.describe(arn);
  return isAlive(execution);
}

/** Closes our change; another's is left as it is. */
export async function releaseChange(
  store: ObjectStore,
  pipeline: string,
  executionArn: string,
): Promise<void> {
  const { key, read } = changeJson(pipeline);
  if ((await read(store))?.executionArn === executionArn) await store.delete(key);
}
