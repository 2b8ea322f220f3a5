import { everyServiceAllowed, type ServiceAccess } from '../kernel/permission.ts';
import type { FunctionInvoker, LogWriter, MetricWriter } from '../kernel/ports.ts';
import type { ServiceBase } from '../kernel/service.ts';
import { openApiStore } from './api-store.ts';
import type { ApiCallers } from './authorize-iam.ts';
import { createHttpFront } from './http-front.ts';
import { createIssuerKeys } from './issuer-keys.ts';
import { apiGatewayResources } from './resources.ts';
import { controlService } from './rest-service.ts';
import { createThrottle } from './throttle.ts';

/** HTTP APIs of API Gateway: made by CloudFormation, answered by functions. */
export type ApiGateway = ReturnType<typeof createApiGateway>;

/** Opens the APIs kept in `dir`. */
export function createApiGateway(
  options: ServiceBase & {
    readonly functions: FunctionInvoker;
    /** Access of APIs to functions; by default every function lets every API in. */
    readonly access?: ServiceAccess;
    /** Without it every key is the owner's. */
    readonly callers?: ApiCallers;
    readonly logs: LogWriter;
    readonly metrics: MetricWriter;
  },
) {
  const { dir, clock } = options;
  const store = openApiStore(dir);
  return {
    front: createHttpFront({
      ...options,
      access: options.access ?? everyServiceAllowed,
      store,
      keys: createIssuerKeys(clock),
      throttle: createThrottle(clock),
    }),
    resources: apiGatewayResources({ store, clock }),
    service: controlService(store),
  };
}
