import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { VerifyServices } from '../app/verify/check.ts';
import { cleanUp } from '../app/verify/clean-up.ts';
import type { CleanUp } from '../app/verify/verify.ts';
import { account } from '../aws/account/account.ts';
import { alarmStates } from '../aws/account/alarm-states.ts';
import { routeThrottles } from '../aws/account/api-stage.ts';
import { billedCosts } from '../aws/account/billed-costs.ts';
import { callTrail } from '../aws/account/call-trail.ts';
import { putToSleep } from '../aws/account/put-to-sleep.ts';
import { rolePermissions } from '../aws/account/role-permissions.ts';
import { rollbackAlarms } from '../aws/account/rollback-alarms.ts';
import { defaultServiceQuotas, serviceQuotas } from '../aws/account/service-quotas.ts';
import { describeStack, stackResources } from '../aws/account/stack.ts';
import { unknownNames } from '../aws/account/unknown-names.ts';
import { uploadWatch } from '../aws/account/upload-watch.ts';
import { callApi } from '../aws/calls/call-api.ts';
import { jobLogs } from '../aws/logs/job-log.ts';
import { topicSubscriptions } from '../aws/messages/topic-subscriptions.ts';
import { purgePrefix } from '../aws/s3/purged-prefix.ts';
import { inferenceComponents } from '../aws/sagemaker/components.ts';
import { runningJobs } from '../aws/sagemaker/running-jobs.ts';
import { machineHistory } from '../aws/states/machine-history.ts';
import { Condition } from '../problem/conditions.ts';
import { parseResourceTags } from '../run/resource-tags.ts';
import { connect, endpointInUse } from './application.ts';
import { Refusal } from './refusal.ts';

const POLL_MS = 5_000;
const LOCAL_POLL_MS = 200;
/** Seven hexadecimal digits. */
const ID_RANGE = 16 ** 7;

/** The services that a verification of a stage's deployment uses. */
export async function openVerification(
  stage: string,
  signal: AbortSignal,
): Promise<{ readonly services: VerifyServices; readonly cleanUp: () => Promise<CleanUp> }> {
  const application = await connect(stage);
  const name = application.endpointPrefix;
  const own = account();
  const [description, resources, identity] = await Promise.all([
    describeStack(name),
    stackResources(name),
    own.identity(),
  ]);
  if (description === undefined) throw new Refusal(`stack ${name} has been removed meanwhile`);
  const place = endpointInUse();
  const services: VerifyServices = {
    stack: {
      name,
      description,
      resources,
      isAws: place === undefined,
      place: place?.origin ?? 'AWS',
      region: identity.region,
      account: identity.account,
      partition: identity.partition,
    },
    store: application.store,
    account: own,
    quotas: serviceQuotas,
    defaultQuotas: defaultServiceQuotas,
    roles: rolePermissions(),
    trail: callTrail,
    throttles: routeThrottles,
    subscriptions: topicSubscriptions,
    unknownNames,
    machines: machineHistory(),
    billed: billedCosts,
    executions: application.executions('inference'),
    endpointChanges: application.endpointChanges,
    sagemaker: application.sagemaker,
    endpoints: application.endpoints,
    components: inferenceComponents(() =>
      parseResourceTags(description.parameters.get('ResourceTags') ?? ''),
    ),
    putToSleep,
    runningJobs,
    jobLogs,
    uploads: uploadWatch(),
    alarms: alarmStates(),
    rollbackAlarms: rollbackAlarms(`inferdrop/${stage}`),
    purge: purgePrefix,
    callApi,
    clock: () => new Date(),
    id: `V${randomInt(ID_RANGE).toString(16).toUpperCase().padStart(7, '0')}`,
    pollMs: place === undefined ? POLL_MS : LOCAL_POLL_MS,
    wait: (ms) => waitUnless(signal, ms),
  };
  return { services, cleanUp: () => cleanUp({ ...services, wait: async (ms) => sleep(ms) }) };
}

async function waitUnless(signal: AbortSignal, ms: number): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (signal.aborted) throw new Condition('VerificationInterrupted', 'interrupted', { cause: error });
    throw error;
  }
}
