import * as z from 'zod';
import type { EndpointChange } from '../../endpoint/change.ts';
import { toDisagreementAlarm } from '../../endpoint/names.ts';
import { BUSY, nextRollBackMove, SOON } from '../../endpoint/next-move.ts';
import { isOurs } from '../../endpoint/tags.ts';
import { changeJson } from '../records/endpoint.ts';
import { useCase } from '../use-case.ts';
import { deleteCandidate } from './candidate.ts';
import { hostingOf, type HostingServices } from './hosting.ts';
import { withLockedChange } from './lock-change.ts';

/**
 * With `busy`, the call is repeated after `waitSeconds`; `configName` of `started` is the configuration that serves again, null if
 * the endpoint is deleted.
 */
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
})(async ({ pipeline, executionArn }, services: HostingServices) => {
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
  services: HostingServices,
): Promise<Output> {
  const { store, endpoints, scope, hostings, alarms } = services;
  const owner = { prefix: scope.prefix, bucket: store.bucket };
  const { endpointName, previousConfigName } = change;
  const isCandidateGone = await deleteCandidate(endpoints, owner, pipeline);
  const found = await endpoints.describe(endpointName);
  const isOwn = found !== undefined && isOurs(await endpoints.tagsOf(found.arn), store.bucket);
  switch (nextRollBackMove({ found: found && { ...found, isOurs: isOwn }, change, isCandidateGone })) {
    case 'wait':
      return BUSY;
    case 'ring':
      await alarms.ring(
        toDisagreementAlarm(endpointName),
        change.configName ?? '',
        'the deployment is rolled back while its update is watched',
      );
      return SOON;
    case 'nothing':
      return { status: 'nothing' };
    case 'reached':
      return { status: 'started', endpointName, configName: previousConfigName };
    case 'delete':
      if (found !== undefined && !(await hostingOf(hostings, found).remove(endpointName, pipeline, services)))
        return SOON;
      await endpoints.delete(endpointName);
      return { status: 'started', endpointName, configName: null };
    case 'restore':
      if (found === undefined || previousConfigName === null) return { status: 'nothing' };
      return hostingOf(hostings, found).rollBack(
        { ...change, previousConfigName },
        found,
        { owner, pipeline },
        services,
      );
  }
}
