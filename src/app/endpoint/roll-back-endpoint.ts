import * as z from 'zod';
import type { EndpointDescription } from '../../aws/sagemaker/endpoints.ts';
import type { EndpointChange } from '../../endpoint/change.ts';
import type { EndpointOwner } from '../../endpoint/names.ts';
import { BUSY, nextRollBackMove } from '../../endpoint/next-move.ts';
import type { Served } from '../../endpoint/served.ts';
import { isOurs } from '../../endpoint/tags.ts';
import { changeJson, servedJson } from '../records/endpoint.ts';
import { useCase } from '../use-case.ts';
import { deleteCandidate } from './candidate.ts';
import { type ChangeServices, withLockedChange } from './lock-change.ts';
import { stopScaling } from './own-endpoint.ts';
import { resizeConfig } from './resize-config.ts';
import { rollBackComponent } from './roll-back-component.ts';

/** `busy` is asked again after `waitSeconds`; `configName` of `started` is the configuration that serves again, null if the endpoint is deleted. */
const Output = z.discriminatedUnion('status', [
  z.object({ status: z.literal('busy'), waitSeconds: z.number() }),
  /** SageMaker had not been called. */
  z.object({ status: z.literal('nothing') }),
  z.object({ status: z.literal('started'), endpointName: z.string(), configName: z.string().nullable() }),
]);
type Output = z.infer<typeof Output>;

/**
 * State `RollBackEndpoint`: restores the configuration that served before a change, and deletes what the change added. It reads the change
 * itself, so it also repairs the change of a dead execution.
 *
 * @throws `ExecutionOver`
 */
export const rollBackEndpoint = useCase({
  /** Sent by state `RollBackEndpoint`, after a deployment that failed, or first in an execution with the action `restore`. */
  input: z.object({ pipeline: z.string(), executionArn: z.string() }),
  output: Output,
})(async ({ pipeline, executionArn }, services: ChangeServices) => {
  const { store, clock } = services;
  const found = await changeJson(pipeline).read(store);
  if (found === undefined) return { status: 'nothing' };
  const change = { ...found, executionArn, startedAt: clock().toISOString() };
  const asked = await withLockedChange(services, pipeline, change, (claimed) =>
    requestRollBack(claimed, pipeline, services),
  );
  return asked ?? BUSY;
});

async function requestRollBack(
  change: EndpointChange,
  pipeline: string,
  services: ChangeServices,
): Promise<Output> {
  const { store, endpoints, scaling, scope } = services;
  const owner = { prefix: scope.prefix, bucket: store.bucket };
  const { endpointName, previousConfigName } = change;
  const isCandidateGone = await deleteCandidate(endpoints, owner, pipeline);
  const found = await endpoints.describe(endpointName);
  const isOwn = found !== undefined && isOurs(await endpoints.tagsOf(found.arn), store.bucket);
  if (isOwn && found.hostsComponents === true && found.status === 'InService')
    return rollBackComponent(change, pipeline, services);
  switch (nextRollBackMove({ found: found && { ...found, isOurs: isOwn }, change, isCandidateGone })) {
    case 'wait':
      return BUSY;
    case 'nothing':
      return { status: 'nothing' };
    case 'reached':
      return { status: 'started', endpointName, configName: previousConfigName };
    case 'delete':
      await endpoints.delete(endpointName);
      return { status: 'started', endpointName, configName: null };
    case 'restore':
      if (found === undefined || previousConfigName === null) return { status: 'nothing' };
      return restore(
        { ...change, previousConfigName },
        found,
        { owner, pipeline },
        { store, endpoints, scaling },
      );
  }
}

/** Updates the endpoint to the configuration that served before, with no fewer instances than serve now. */
async function restore(
  change: EndpointChange & { readonly previousConfigName: string },
  found: EndpointDescription,
  { owner, pipeline }: { readonly owner: EndpointOwner; readonly pipeline: string },
  { store, endpoints, scaling }: Pick<ChangeServices, 'store' | 'endpoints' | 'scaling'>,
): Promise<Output> {
  const { endpointName, previousConfigName } = change;
  const served = await servedJson(pipeline).read(store);
  const configName = await resizeConfig(endpoints, { owner, pipeline }, previousConfigName, found, served);
  // A repeated step must find the configuration that it asked for, and the next deployment the one that was tested.
  if (configName !== previousConfigName) {
    await changeJson(pipeline).write(store, { ...change, previousConfigName: configName });
    if (served !== undefined)
      await servedJson(pipeline).write(store, withConfigName(served, previousConfigName, configName));
  }
  await stopScaling(scaling, found, served);
  await endpoints.update(endpointName, configName, { rollbackAlarms: [], guardrails: false });
  return { status: 'started', endpointName, configName };
}

/** Renames the configuration of a variant. */
function withConfigName(served: Served, from: string, configName: string): Served {
  const variants = Object.entries(served.variants).map(([name, variant]) => [
    name,
    variant.configName === from ? { ...variant, configName } : variant,
  ]);
  return { ...served, variants: Object.fromEntries(variants) };
}
