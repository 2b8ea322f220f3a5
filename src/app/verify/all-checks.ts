import type { Check } from './check.ts';
import { alarmMessage } from './checks/alarm-message.ts';
import { billedCosts } from './checks/billed-costs.ts';
import { deniedCalls } from './checks/denied-calls.ts';
import { deployment } from './checks/deployment.ts';
import { errorNames } from './checks/error-names.ts';
import { gpu } from './checks/gpu.ts';
import { idleHosts } from './checks/idle-hosts.ts';
import { instanceQuotas } from './checks/instance-quotas.ts';
import { lambdaConcurrency } from './checks/lambda-concurrency.ts';
import { lambdaEndpoint } from './checks/lambda-endpoint.ts';
import { lambdaRun } from './checks/lambda-run.ts';
import { largeManifest } from './checks/large-manifest.ts';
import { rolePermissions } from './checks/role-permissions.ts';
import { routeThrottles } from './checks/route-throttles.ts';
import { serverlessEndpoint } from './checks/serverless-endpoint.ts';
import { stackEndpoint } from './checks/stack-endpoint.ts';
import { stackRun } from './checks/stack-run.ts';
import { subscriptions } from './checks/subscriptions.ts';
import { transformBundles } from './checks/transform-bundles.ts';
import { transformInstances } from './checks/transform-instances.ts';
import { transformKeys } from './checks/transform-keys.ts';
import { unknownNames } from './checks/unknown-names.ts';
import { uploadEvents } from './checks/upload-events.ts';
import { wakingEndpoint } from './checks/waking-endpoint.ts';

/** All checks in the order in which they run: those that only read come first, the others by their price. */
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
  alarmMessage,
  idleHosts,
  billedCosts,
  uploadEvents,
  lambdaRun,
  lambdaEndpoint,
  transformKeys,
  stackRun,
  serverlessEndpoint,
  transformBundles,
  transformInstances,
  wakingEndpoint,
  stackEndpoint,
  gpu,
  largeManifest,
];
