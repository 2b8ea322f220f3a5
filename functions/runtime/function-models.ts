import { MAX_ANSWER_MS } from '../../src/api/limits.ts';
import { type FunctionModels, functionModels } from '../../src/aws/calls/function-models.ts';
import { environmentCredentials, ownEndpoint } from '../../src/aws/runtime/environment.ts';
import { readEnv } from './env.ts';

/** The stack's function that answers for endpoints of type lambda, invoked with the caller's role. */
export function modelsInFunctions(): FunctionModels {
  const { AWS_REGION, LAMBDA_DOMAIN, SERVE_FUNCTION } = readEnv(
    'AWS_REGION',
    'LAMBDA_DOMAIN',
    'SERVE_FUNCTION',
  );
  return functionModels({
    base: ownEndpoint(process.env, 'LAMBDA') ?? new URL(`https://${LAMBDA_DOMAIN}`),
    region: AWS_REGION,
    credentials: () => environmentCredentials(process.env),
    functionName: SERVE_FUNCTION,
    withinMs: MAX_ANSWER_MS,
  });
}
