import { deleteEndpoint } from '../src/app/endpoint/delete-endpoint.ts';
import { HOSTINGS } from '../src/app/endpoint/hostings.ts';
import { changeServices } from './runtime/change-services.ts';
import { step } from './runtime/step.ts';

/** State `DeleteEndpoint` of statemachines/endpoint.asl.yml. */
export const handler = step(deleteEndpoint, () => ({ hostings: HOSTINGS, ...changeServices() }));
