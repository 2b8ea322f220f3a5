import * as z from 'zod';
import type { EndpointChange, NewChange } from '../../endpoint/change.ts';
import { type EndpointOwner, toEndpointName } from '../../endpoint/names.ts';
import { BUSY, nextDeleteMove, SOON } from '../../endpoint/next-move.ts';
import { changeJson, releaseChange, servedJson } from '../records/endpoint.ts';
import { useCase } from '../use-case.ts';
import { deleteCandidate } from './candidate.ts';
import { hostingOf, type HostingServices } from './hosting.ts';
import { hasNothing, withLockedChange } from './lock-change.ts';
import { describeOwn, stopScaling } from './own-endpoint.ts';
import { repairChange } from './repair-change.ts';

/** With `busy`, the call is repeated after `waitSeconds`; `started` also if no endpoint is left, as `CheckDeletion` then finds. */
const Output = z.discriminatedUnion('status', [
  z.object({ status: z.literal('busy'), waitSeconds: z.number() }),
  /** Deployed again since the request for its deletion. */
  z.object({ status: z.literal('kept') }),
  z.object({ status: z.literal('started'), endpointName: z.string() }),
]);
type Output = z.infer<typeof Output>;

/**
 * State `DeleteEndpoint`: asks SageMaker to delete a pipeline's endpoint. The prediction API stops calling it first.
 *
 * @throws `EndpointNameTaken`, `ExecutionOver`
 */
export const deleteEndpoint = useCase({
  /** Sent by state `DeleteEndpoint` with the execution that is to own the change. */
  input: z.object({
    pipeline: z.string(),
    executionArn: z.string(),
    /** Time of the deployment to end; null for any. */
    deployedAt: z.iso.datetime().nullish(),
  }),
  output: Output,
})(async ({ pipeline, executionArn, deployedAt = null }, services: HostingServices) => {
  const { store, clock, scope } = services;
  const owner = { prefix: scope.prefix, bucket: store.bucket };
  const change: NewChange = {
    schema: 1,
    action: 'delete',
    executionArn,
    startedAt: clock().toISOString(),
    run: null,
    endpointName: toEndpointName(owner, pipeline),
    configName: null,
    previousConfigName: null,
    requested: false,
    candidateName: null,
  };
  const asked = await withLockedChange(services, pipeline, change, async (claimed): Promise<Output> => {
    const served = deployedAt === null ? undefined : await servedJson(pipeline).read(store);
    if (served === undefined || served.deployedAt === deployedAt)
      return requestDeletion(claimed, pipeline, owner, services);
    if (claimed.run === null && hasNothing(claimed)) await releaseChange(store, pipeline, executionArn);
    else await handBack(claimed, pipeline, services);
    return { status: 'kept' };
  });
  return asked ?? BUSY;
});

/** The remains of a dead deployment must be undone even if there is nothing to delete. */
async function handBack(
  claimed: EndpointChange,
  pipeline: string,
  { store, executions }: HostingServices,
): Promise<void> {
  const change = { ...claimed, action: 'deploy' } as const;
  await changeJson(pipeline).write(store, change);
  const reason = 'the execution that was to deploy it is over and has left it half done';
  await repairChange(executions, pipeline, change, { reason, key: claimed.executionArn });
}

async function requestDeletion(
  change: EndpointChange,
  pipeline: string,
  owner: EndpointOwner,
  services: HostingServices,
): Promise<Output> {
  const { store, endpoints, scaling } = services;
  const endpointName = toEndpointName(owner, pipeline);
  const isCandidateGone = await deleteCandidate(endpoints, owner, pipeline);
  const found = await describeOwn(endpoints, endpointName, store.bucket);
  const move = nextDeleteMove(found, isCandidateGone);
  if (move === 'wait') return BUSY;
  if (move === 'delete' && found !== undefined) {
    await changeJson(pipeline).write(store, {
      ...change,
      action: 'delete',
      configName: null,
      requested: true,
    });
    const served = await servedJson(pipeline).read(store);
    if (served !== undefined) await servedJson(pipeline).write(store, { ...served, status: 'deleting' });
    await stopScaling(scaling, found, served);
    if (!(await hostingOf(services.hostings, found).remove(endpointName, pipeline, services))) return SOON;
    await endpoints.delete(endpointName);
  }
  return { status: 'started', endpointName };
}
