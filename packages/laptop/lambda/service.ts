import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Targets } from '../events/dispatcher.ts';
import {
  type Credentials,
  everyServiceAllowed,
  type RoleSessions,
  type ServiceAccess,
} from '../kernel/permission.ts';
import type { FunctionInvoker, LogWriter, ObjectAccess } from '../kernel/ports.ts';
import type { ServiceBase } from '../kernel/service.ts';
import { logsAsRole } from '../logs/logs-as-role.ts';
import type { AccountLimits } from '../service-quotas/account-limits.ts';
import type { QueueAccess } from '../sqs/service.ts';
import { functionActions } from './actions/functions.ts';
import { invoke } from './actions/invoke.ts';
import { AsyncInvocations } from './async-invocations.ts';
import { openFunctionPolicies } from './function-policies.ts';
import { openFunctionStore } from './function-store.ts';
import { openMappingStore } from './mapping-store.ts';
import { lambdaResources } from './resources.ts';
import { lambdaService } from './rest-service.ts';

interface FunctionsOptions extends ServiceBase {
  readonly objects: ObjectAccess;
  readonly logs: LogWriter;
  readonly queues: QueueAccess;
  readonly limits: Pick<AccountLimits, 'lambdaConcurrency'>;
  readonly targets: Targets;
  /** Credentials that a function signs with, by its role; `test` / `test` by default. */
  readonly credentialsOf?: (roleArn: string, functionName: string) => Credentials;
  /** Refusal of a permission that Lambda needs of a function's role; by default nothing is refused. */
  readonly refusalOf?: RoleSessions['refusal'];
  /** Which roles trust Lambda; by default all. */
  readonly access?: ServiceAccess;
  /**
   * Instances of one function at a time; further invocations wait. At least 8, or twice the cores: most of them wait for
   * something else; fewer where each has a large share of a processor.
   */
  readonly maxInstances?: number;
  /** How long an instance stays warm; a minute by default, and seconds where another one is warm. */
  readonly idleMs?: number;
  readonly newId?: () => string;
  /** Called with events that could not be delivered. */
  readonly report?: (line: string) => void;
}

/** Lambda: Node functions, each instance a process. Opens those kept in `dir`; close its service before the queues'. */
export function createFunctions(options: FunctionsOptions) {
  const parts: Required<FunctionsOptions> = {
    credentialsOf: () => ({ accessKeyId: 'test', secretAccessKey: 'test' }),
    refusalOf: () => null,
    access: everyServiceAllowed,
    maxInstances: Math.max(8, 2 * availableParallelism()),
    idleMs: 60_000,
    newId: randomUUID,
    report: (line) => void process.stderr.write(`lambda: ${line}\n`),
    ...options,
  };
  const { dir, site, access, newId } = parts;
  const { lambdaConcurrency } = options.limits;
  const store = openFunctionStore({
    ...parts,
    logsOf: (role, name) => logsAsRole(parts, role, name),
    mayAssume: (roleArn, sourceArn) =>
      access.mayAssume({ service: 'lambda.amazonaws.com', sourceArn }, roleArn),
    concurrency: lambdaConcurrency,
  });
  const asyncInvocations = new AsyncInvocations({ ...parts, store });
  const invoker: FunctionInvoker = {
    invoke: (target, payload) => store.invoke(target, newId(), payload),
    invokeLater: (target, payload) => asyncInvocations.add(target, newId(), payload),
  };
  const mappings = openMappingStore({ ...parts, store, invoke: invoker.invoke });
  const policies = openFunctionPolicies({ dir, site, store });
  const service = lambdaService(
    site,
    [invoke(store, asyncInvocations), ...functionActions(store, site, lambdaConcurrency)],
    async () => {
      asyncInvocations.stop();
      const pollersStopped = mappings.close();
      await store.close();
      await Promise.all([pollersStopped, asyncInvocations.close()]);
    },
  );
  return {
    service,
    functions: invoker,
    resources: lambdaResources({ ...parts, store, mappings, permissions: policies.resources }),
    policyOn: policies.policyOn,
    /** From now on queues feed functions and asynchronous events run; call it when the gateway listens. */
    start: () => {
      asyncInvocations.start();
      mappings.start();
    },
  };
}
