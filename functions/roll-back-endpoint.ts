import { HOSTINGS } from '../src/app/endpoint/hostings.ts';
import { rollBackEndpoint } from '../src/app/endpoint/roll-back-endpoint.ts';
import { changeServices } from './runtime/change-services.ts';
import { step } from './runtime/step.ts';

/** State `RollBackEndpoint` of statemachines/endpoint.asl.yml. */
export const handler = step(rollBackEndpoint, () => ({ hostings: HOSTINGS, ...changeServices() }));
