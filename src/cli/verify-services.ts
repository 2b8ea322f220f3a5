import type { VerifyServices } from '../app/verify/check.ts';
import { account } from '../aws/account.ts';
import { routeThrottles } from '../aws/api-stage.ts';
import { billedCosts } from '../aws/billed-costs.ts';
import { callTrail } from '../aws/call-trail.ts';
import { machineHistory } from '../aws/machine-history.ts';
import { rolePermissions } from '../aws/role-permissions.ts';
import { serviceQuotas } from '../aws/service-quotas.ts';
import { describeStack, stackResources } from '../aws/stack.ts';
import { topicSubscriptions } from '../aws/topic-subscriptions.ts';
import { unknownNames } from '../aws/unknown-names.ts';
import { connect, endpointInUse } from './application.ts';
import { UsageError } from './usage-error.ts';

/** Everything that a verification of a stage's deployment asks. */
export async function openVerification(stage: string): Promise<VerifyServices> {
  const application = await connect(stage);
  const name = application.endpointPrefix;
  const own = account();
  const [description, resources, identity] = await Promise.all([
    describeStack(name),
    stackResources(name),
    own.identity(),
  ]);
  if (description === undefined) throw new UsageError(`stack ${name} has been removed meanwhile`);
  const place = endpointInUse();
  return {
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
    roles: rolePermissions(),
    trail: callTrail,
    throttles: routeThrottles,
    subscriptions: topicSubscriptions,
    unknownNames,
    machines: machineHistory(),
    billed: billedCosts,
    executions: application.executions,
    clock: () => new Date(),
  };
}
