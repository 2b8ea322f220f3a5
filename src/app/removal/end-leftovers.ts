import type { RollbackAlarms } from '../../aws/account/rollback-alarms.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { ComponentScaling } from '../../aws/sagemaker/component-scaling.ts';
import type { InferenceComponents } from '../../aws/sagemaker/components.ts';
import type { Endpoints } from '../../aws/sagemaker/endpoints.ts';
import type { SageMaker } from '../../aws/sagemaker/sagemaker.ts';
import type { Scaling } from '../../aws/sagemaker/scaling.ts';
import { toDisagreementAlarm } from '../../endpoint/names.ts';
import { isUnderWay } from '../../endpoint/progress.ts';
import { Condition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { readExecutionInput } from '../../run/execution-name.ts';
import { RUN_KIND_NAMES } from '../../run/run-kind.ts';
import { endNamedScaling, removeComponents } from '../endpoint/scale-to-zero/remove-components.ts';
import { servedComponentsJson } from '../records/endpoint.ts';
import { cancel } from '../run/cancel.ts';
import type { ExecutionsOf } from '../run/start-run.ts';
import type { Deployment } from './find-deployment.ts';
import {
  findLeftovers,
  type FindLeftoversServices,
  isAnythingRunning,
  type LeftEndpoint,
  type Leftovers,
} from './find-leftovers.ts';

/** Services that end leftovers; `sleep` passes the time between two looks. */
export interface EndLeftoversServices extends FindLeftoversServices {
  readonly store: ObjectStore;
  readonly executions: ExecutionsOf<'arnOf' | 'describe' | 'stop'>;
  readonly sagemaker: Pick<SageMaker, 'describeModel' | 'deleteModel'>;
  readonly endpoints: FindLeftoversServices['endpoints'] & Pick<Endpoints, 'delete' | 'deleteConfig'>;
  readonly scaling: Pick<Scaling, 'deregister'>;
  readonly components: Pick<InferenceComponents, 'namesOn' | 'describe' | 'delete'>;
  readonly componentScaling: Pick<ComponentScaling, 'deregister'>;
  readonly alarms: Pick<RollbackAlarms, 'delete'>;
  readonly clock: () => Date;
  readonly sleep: (seconds: number) => Promise<void>;
  /** Called with a line for each thing that is ended. */
  readonly tell: (line: string) => void;
}

/** Time between two looks; an endpoint takes minutes to be deleted. */
const LOOK_EVERY_SECONDS = 5;
/** Cap on the looks: the longest update of an endpoint takes three and a half hours, and can only be waited for. */
const MAX_LOOKS = 2_880;
/** Looks in a row that must find nothing: stopping one thing may start another a moment later, such as a roll-back. */
const QUIET_LOOKS = 2;

/**
 * Cancels runs, stops jobs and changes of endpoints, deletes endpoints, and waits until all of it has ended and stays so; then
 * deletes what costs nothing.
 *
 * @throws {StillRunning} if something has not ended after four hours
 */
export async function endLeftovers(deployment: Deployment, services: EndLeftoversServices): Promise<void> {
  const asked = new Set<string>();
  let quiet = 0;
  for (let look = 0; quiet < QUIET_LOOKS; look += 1) {
    if (look === MAX_LOOKS)
      throw new Condition(
        'StillRunning',
        `something of ${deployment.stackName} has not ended in ${(MAX_LOOKS * LOOK_EVERY_SECONDS) / 60} minutes; run the command again`,
      );
    const left = await findLeftovers(deployment, services);
    if (isAnythingRunning(left)) quiet = 0;
    else quiet += 1;
    await endOnce(deployment, left, asked, services);
    if (quiet < QUIET_LOOKS) await services.sleep(LOOK_EVERY_SECONDS);
  }
  await deleteUnused(await findLeftovers(deployment, services), services);
}

/** Deletes configurations and models, which cost nothing and are useless without their stack. */
export async function deleteUnused(
  { endpointConfigs, models }: Leftovers,
  { endpoints, sagemaker }: Pick<EndLeftoversServices, 'endpoints' | 'sagemaker'>,
): Promise<void> {
  for (const name of endpointConfigs) await endpoints.deleteConfig(name);
  for (const name of models) await sagemaker.deleteModel(name);
}

async function endOnce(
  deployment: Deployment,
  { executionArns, jobs, endpoints }: Leftovers,
  asked: Set<string>,
  services: EndLeftoversServices,
): Promise<void> {
  const once = async (what: string, act: () => Promise<void>): Promise<void> => {
    if (asked.has(what)) return;
    asked.add(what);
    services.tell(what);
    await act();
  };
  for (const arn of executionArns)
    await once(`execution ${arn}`, () => endExecution(deployment, arn, services));
  for (const job of jobs) await once(job.title, () => job.stop());
  for (const endpoint of endpoints)
    // SageMaker refuses to delete one that is on its way to another status.
    if (!isUnderWay(endpoint)) {
      services.tell(`endpoint ${endpoint.name}`);
      await deleteEndpoint(endpoint, services);
    }
}

async function endExecution(
  { runMachineArns, endpointMachineArn }: Deployment,
  arn: string,
  { store, executions, clock }: EndLeftoversServices,
): Promise<void> {
  const isOf = (machineArn: string): boolean =>
    arn.startsWith(`${machineArn.replace(':stateMachine:', ':execution:')}:`);
  const by = 'the removal of the stack';
  if (isOf(endpointMachineArn))
    // Step Functions stops an execution by its ARN, whichever machine it belongs to.
    await executions('inference').stop(arn, { error: 'Removed', cause: `Stopped by ${by}.` });
  // An execution that reports a failed run stops on its own.
  const kind = RUN_KIND_NAMES.find((each) => isOf(runMachineArns[each]));
  if (kind === undefined) return;
  const input = (await executions(kind).describe(arn))?.input;
  const run = readExecutionInput(input ?? '{}');
  try {
    await cancel({ run, by }, { store, executions, clock });
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'RunEnded') throw error;
  }
}

async function deleteEndpoint(
  { name, pipeline, isCandidate, variants, hostsComponents }: LeftEndpoint,
  services: EndLeftoversServices,
): Promise<void> {
  const { endpoints, scaling, store } = services;
  // Those that go are looked for again.
  if (hostsComponents && !(await removeComponents(services, name, null))) return;
  for (const variant of variants) await scaling.deregister(name, variant);
  await endpoints.delete(name);
  if (pipeline === undefined || isCandidate) return;
  await services.alarms.delete(toDisagreementAlarm(name));
  if (hostsComponents)
    await endNamedScaling(services, await servedComponentsJson(pipeline).read(store), null);
  await store.delete(bucketLayout.served(pipeline));
  await store.delete(bucketLayout.endpointChange(pipeline));
}
