import { setTimeout as pause } from 'node:timers/promises';
import { finishEndpoint } from '../src/app/endpoint/finish-endpoint.ts';
import { endedAlarms } from '../src/aws/account/rollback-alarms.ts';
import { componentScaling } from '../src/aws/sagemaker/component-scaling.ts';
import { inferenceComponents } from '../src/aws/sagemaker/components.ts';
import { sageMaker } from '../src/aws/sagemaker/sagemaker.ts';
import { scaling } from '../src/aws/sagemaker/scaling.ts';
import { allEndpoints } from './runtime/all-endpoints.ts';
import { endpointScope } from './runtime/endpoint-scope.ts';
import { counted } from './runtime/metrics.ts';
import { bucket, now } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** States `FinishEndpoint` and `FinishUntouched` of statemachines/endpoint.asl.yml. */
export const handler = step(
  finishEndpoint,
  () => ({
    store: bucket(),
    sagemaker: sageMaker(),
    endpoints: allEndpoints(),
    scaling: scaling(),
    components: inferenceComponents(),
    componentScaling: componentScaling(),
    alarms: endedAlarms(),
    pause: (ms: number) => pause(ms),
    clock: now,
    scope: endpointScope(),
  }),
  counted(async ({ pipeline, outcome }) => ({
    facts: { pipeline, outcome },
    groups: [{ by: [['pipeline', 'outcome']], values: { EndpointChanges: 1 } }],
  })),
);
