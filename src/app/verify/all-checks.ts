import type { Check } from './check.ts';
import { billedCosts } from './checks/billed-costs.ts';
import { deniedCalls } from './checks/denied-calls.ts';
import { deployment } from './checks/deployment.ts';
import { errorNames } from './checks/error-names.ts';
import { instanceQuotas } from './checks/instance-quotas.ts';
import { lambdaConcurrency } from './checks/lambda-concurrency.ts';
import { rolePermissions } from './checks/role-permissions.ts';
import { routeThrottles } from './checks/route-throttles.ts';
import { subscriptions } from './checks/subscriptions.ts';
import { unknownNames } from './checks/unknown-names.ts';

/** In the order in which they are carried out: those that only read first, then by their price. */
export const allChecks: readonly Check[] = [
  deployment,
  lambdaConcurrency,
  instanceQuotas,
  rolePermissions,
  deniedCalls,
  errorNames,
  routeThrottles,
  subscriptions,
  unknownNames,
  billedCosts,
];
