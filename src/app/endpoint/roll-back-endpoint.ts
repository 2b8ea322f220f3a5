import * as z from 'zod';
import type { Endpoints } from '../../aws/endpoints.ts';
import type { Executions } from '../../aws/executions.ts';
import type { ObjectStore } from '../../aws/object-store.ts';
import type { Scaling } from '../../aws/scaling.ts';
import type { EndpointChange } from '../../endpoint/change.ts';
import { isServingTouched } from '../../endpoint/change.ts';
import { isUnderWay } from '../../endpoint/progress.ts';
import { isOurs } from '../../endpoint/tags.ts';
import { deleteCandidate } from './candidate.ts';
import type { EndpointScope } from './endpoint-scope.ts';
import { holdChange } from './hold-change.ts';
import { servedJson } from '../records/served.ts';
import { changeJson } from '../records/change.ts';

export const RollBackEndpointInput = z.object({ pipeline: z.string(), executionArn: z.string() });
export const RollBackEndpointOutput = z.discriminatedUnion('status', [
  z.object({ status: z.literal('busy'), waitSeconds: z.number() }),
  /** Nothing had been asked of SageMaker. */
  z.object({ status: z.literal('nothing') }),
  z.object({ status: z.literal('started'), endpointName: z.string(), configName: z.string().nullable() }),
]);
type Answer = z.infer<typeof RollBackEndpointOutput>;

export interface RollBackEndpointServices {
  readonly store: ObjectStore;
  readonly endpoints: Endpoints;
  readonly scaling: Scaling;
  readonly executions: Pick<Executions, 'describe' | 'start'>;
  readonly clock: () => Date;
  readonly scope: EndpointScope;
}

const BUSY: Answer = { status: 'busy', waitSeconds: 15 };

/**
 * State `RollBackEndpoint`: brings back what served before a change, and deletes what was new. It reads the change itself,
 * so it is also what mends the change of an execution that died.
 *
 * @throws `ExecutionOver`
 */
export async function rollBackEndpoint(
  { pipeline, executionArn }: z.infer<typeof RollBackEndpointInput>,
  services: RollBackEndpointServices,
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
  { store, endpoints, scaling, scope }: RollBackEndpointServices,
): Promise<Answer> {
  const owner = { prefix: scope.prefix, bucket: store.bucket };
  if (!(await deleteCandidate(endpoints, owner, pipeline))) return BUSY;
  const { endpointName, previousConfigName } = change;
  const started = { status: 'started', endpointName, configName: previousConfigName } as const;
  // What serves was not touched while its candidate was tested.
  if (!isServingTouched(change)) return change.candidateName === null ? { status: 'nothing' } : started;
  const endpoint = await endpoints.describe(endpointName);
  if (endpoint === undefined) return previousConfigName === null ? started : { status: 'nothing' };
  if (!isOurs(await endpoints.tagsOf(endpoint.arn), store.bucket)) return { status: 'nothing' };
  if (endpoint.status === 'Deleting') return started;
  // While SageMaker updates, it still describes the configuration of before; only the end tells which of the two serves.
  if (isUnderWay(endpoint)) return BUSY;
  // SageMaker updates no failed endpoint, and it serves nobody.
  if (previousConfigName === null || endpoint.status === 'Failed') {
    await endpoints.delete(endpointName);
    return { ...started, configName: null };
  }
  if (endpoint.configName === previousConfigName && endpoint.status === 'InService') return started;
  const served = await servedJson(pipeline).read(store);
  if (served !== undefined && served.autoscaling !== null)
    for (const { name } of endpoint.variants) await scaling.deregister(endpointName, name);
  await endpoints.update(endpointName, previousConfigName, { rollbackAlarms: [], guardrails: false });
  return started;
}
