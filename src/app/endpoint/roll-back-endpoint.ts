import * as z from 'zod';
import type { EndpointChange } from '../../endpoint/change.ts';
import { BUSY, nextRollBackMove } from '../../endpoint/next-move.ts';
import { isOurs } from '../../endpoint/tags.ts';
import { changeJson } from '../records/change.ts';
import { servedJson } from '../records/served.ts';
import { deleteCandidate } from './candidate.ts';
import { type ChangeServices, holdChange } from './hold-change.ts';
import { stopScaling } from './own-endpoint.ts';

/** Sent by state `RollBackEndpoint`, after a deployment that failed, or first in an execution with the action `restore`. */
export const RollBackEndpointInput = z.object({ pipeline: z.string(), executionArn: z.string() });
/** `busy` is asked again after `waitSeconds`; `configName` of `started` is what serves again, null where the endpoint is deleted. */
export const RollBackEndpointOutput = z.discriminatedUnion('status', [
  z.object({ status: z.literal('busy'), waitSeconds: z.number() }),
  /** SageMaker had not been called. */
  z.object({ status: z.literal('nothing') }),
  z.object({ status: z.literal('started'), endpointName: z.string(), configName: z.string().nullable() }),
]);
type Answer = z.infer<typeof RollBackEndpointOutput>;

/**
 * State `RollBackEndpoint`: restores what served before a change, and deletes what was new. It reads the change itself,
 * so it also repairs the change of a dead execution.
 *
 * @throws `ExecutionOver`
 */
export async function rollBackEndpoint(
  { pipeline, executionArn }: z.infer<typeof RollBackEndpointInput>,
  services: ChangeServices,
): Promise<Answer> {
  const { store, clock } = services;
  const found = await changeJson(pipeline).read(store);
  if (found === undefined) return { status: 'nothing' };
  const change = { ...found, executionArn, startedAt: clock().toISOString() };
  const asked = await holdChange(services, pipeline, change, (claimed) =>
    askSageMaker(claimed, pipeline, services),
  );
  return asked ?? BUSY;
}

async function askSageMaker(
  change: EndpointChange,
  pipeline: string,
  { store, endpoints, scaling, scope }: ChangeServices,
): Promise<Answer> {
  const owner = { prefix: scope.prefix, bucket: store.bucket };
  const { endpointName, previousConfigName } = change;
  const isCandidateGone = await deleteCandidate(endpoints, owner, pipeline);
  const found = await endpoints.describe(endpointName);
  const isOwn = found !== undefined && isOurs(await endpoints.tagsOf(found.arn), store.bucket);
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
      await stopScaling(scaling, found, await servedJson(pipeline).read(store));
      await endpoints.update(endpointName, previousConfigName, { rollbackAlarms: [], guardrails: false });
      return { status: 'started', endpointName, configName: previousConfigName };
  }
}
