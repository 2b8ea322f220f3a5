import { environmentCredentials, ownEndpoint } from '../../src/aws/runtime/environment.ts';
import { type Runtime, runtime } from '../../src/aws/sagemaker/runtime.ts';
import { readEnv } from './env.ts';

/** The account's endpoints, invoked with the function's role. */
export function models(): Runtime {
  const { AWS_REGION: region, RUNTIME_DOMAIN } = readEnv('AWS_REGION', 'RUNTIME_DOMAIN');
  return runtime({
    base: ownEndpoint(process.env, 'SAGEMAKER_RUNTIME') ?? new URL(`https://${RUNTIME_DOMAIN}`),
    region,
    credentials: () => environmentCredentials(process.env),
  });
}
