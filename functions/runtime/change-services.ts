import type { ChangeServices } from '../../src/app/endpoint/lock-change.ts';
import { rollbackAlarms } from '../../src/aws/account/rollback-alarms.ts';
import { componentScaling } from '../../src/aws/sagemaker/component-scaling.ts';
import { inferenceComponents } from '../../src/aws/sagemaker/components.ts';
import { scaling } from '../../src/aws/sagemaker/scaling.ts';
import { executions } from '../../src/aws/states/executions.ts';
import { allEndpoints } from './all-endpoints.ts';
import { endpointScope } from './endpoint-scope.ts';
import { env } from './env.ts';
import { resourceTags } from './resource-tags.ts';
import { bucket, now } from './services.ts';

/** Services of the states that change an endpoint. */
export function changeServices(): ChangeServices {
  return {
    store: bucket(),
    endpoints: allEndpoints(),
    scaling: scaling(),
    components: inferenceComponents(resourceTags),
    componentScaling: componentScaling(),
    alarms: rollbackAlarms(env('METRICS_NAMESPACE')),
    executions: executions({ stateMachineArn: env('ENDPOINT_MACHINE_ARN') }),
    clock: now,
    scope: endpointScope(),
  };
}
