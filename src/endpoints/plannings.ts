import { lambdaEndpoint } from './function/planning.ts';
import { instanceEndpoint } from './instance/planning.ts';
import type { EndpointKindName } from './kind.ts';
import type { EndpointPlanning } from './planning.ts';
import { scaleToZeroEndpoint } from './scale-to-zero/planning.ts';
import { serverlessEndpoint } from './serverless/planning.ts';

/** Planning of each kind of endpoint: far heavier than the rules in kinds.ts, which most handlers load. */
export const ENDPOINT_PLANNING: Readonly<Record<EndpointKindName, EndpointPlanning>> = {
  instance: instanceEndpoint,
  serverless: serverlessEndpoint,
  scaleToZero: scaleToZeroEndpoint,
  lambda: lambdaEndpoint,
};
