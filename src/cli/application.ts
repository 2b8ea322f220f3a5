import type { Endpoints } from '../aws/endpoints.ts';
import { endpoints } from '../aws/endpoints.ts';
import { executions } from '../aws/executions.ts';
import type { Executions } from '../aws/executions.ts';
import type { ObjectStore } from '../aws/object-store.ts';
import { objectStore } from '../aws/s3-object-store.ts';
import type { SageMaker } from '../aws/sagemaker.ts';
import { sageMaker } from '../aws/sagemaker.ts';
import { stackOutputs } from '../aws/stack.ts';
import { UsageError } from './usage-error.ts';

/** A deployed application, in AWS or on this machine. */
export interface Application {
  readonly bucket: string;
  readonly store: ObjectStore;
  readonly executions: Executions;
  readonly sagemaker: SageMaker;
  readonly endpoints: Endpoints;
  /** Of the state machine that changes endpoints. */
  readonly endpointChanges: Executions;
  /** Every endpoint of this deployment has a name that begins so. */
  readonly endpointPrefix: string;
  /** Address of the prediction API. */
  readonly apiUrl: string;
}

/**
 * Finds the application's resources through its CloudFormation stack. `AWS_ENDPOINT_URL` decides where that is;
 * on this machine any credentials do, so missing ones are filled in.
 *
 * @throws {UsageError} if the stack is not there, with what to do
 */
export async function connect(stage: string): Promise<Application> {
  const endpoint = process.env.AWS_ENDPOINT_URL;
  if (endpoint !== undefined && isLoopback(endpoint)) useLocalCredentials();
  process.env.AWS_REGION ??= process.env.AWS_DEFAULT_REGION ?? 'us-east-1';

  const stackName = `inferdrop-${stage}`;
  const outputs = await stackOutputs(stackName).catch((error: unknown) => {
    throw new UsageError(
      `${endpoint ?? 'AWS'} did not answer for stack ${stackName}: ${error instanceof Error ? error.message : String(error)}. ` +
        'For the stack on this machine run `npm start` or `inferdrop up`, and set AWS_ENDPOINT_URL to the address it prints.',
    );
  });
  if (outputs === undefined) {
    throw new UsageError(
      `there is no stack ${stackName} at ${endpoint ?? 'AWS'}: deploy it (docs/deploy.md), or name its stage with --stage`,
    );
  }
  const read = (name: string): string => {
    const value = outputs.get(name);
    if (value === undefined)
      throw new UsageError(`stack ${stackName} has no output ${name}: deploy this release again`);
    return value;
  };
  const bucket = read('BucketName');
  return {
    bucket,
    store: objectStore({ bucket }),
    executions: executions({ stateMachineArn: read('StateMachineArn') }),
    sagemaker: sageMaker(),
    endpoints: endpoints(),
    endpointChanges: executions({ stateMachineArn: read('EndpointMachineArn') }),
    endpointPrefix: stackName,
    apiUrl: read('ApiUrl'),
  };
}

/** Credentials and region as the stack on this machine takes them, unless the environment names others. */
export function useLocalCredentials(): void {
  process.env.AWS_ACCESS_KEY_ID ??= 'test';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'test';
  process.env.AWS_EC2_METADATA_DISABLED ??= 'true';
}

function isLoopback(endpoint: string): boolean {
  const { hostname } = new URL(endpoint);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
