import { setTimeout as wait } from 'node:timers/promises';
import { withFunctionEndpoints } from '../app/endpoint/function/function-endpoints.ts';
import type { ExecutionsOf } from '../app/run/start-run.ts';
import { describeStack, stackNames } from '../aws/account/stack.ts';
import type { ObjectStore } from '../aws/s3/object-store.ts';
import { type PresignedLinks, presignedLinks } from '../aws/s3/presigned-links.ts';
import { objectStore } from '../aws/s3/s3-object-store.ts';
import { type Endpoints, endpoints } from '../aws/sagemaker/endpoints.ts';
import { type SageMaker, sageMaker } from '../aws/sagemaker/sagemaker.ts';
import { type Executions, executions } from '../aws/states/executions.ts';
import type { LetterMachines } from '../drop/dead-letter.ts';
import { parseResourceTags } from '../run/resource-tags.ts';
import { byRunKind } from '../run/run-kind.ts';
import {
  DEFAULT_DATA_DIR,
  findCredentials,
  LOCAL_KEY_PREFIX,
  type StackCredentials,
} from './laptop/stack-credentials.ts';
import { Refusal } from './refusal.ts';
import { stackWhenUp } from './stack-when-up.ts';
import { UsageError } from './usage-error.ts';

/** Time within which a stack on this machine must answer. */
const ANSWER_MS = 5_000;
/** Interval between looks at a stack that is still starting. */
const LOOK_EVERY_MS = 1_000;
/** Lifetime of links, one hour: a link expires with the credentials that signed it, and a role's seldom last longer. */
const LINK_SECONDS = 3_600;

const START_IT =
  'For the stack on this machine run `inferdrop up`, and set AWS_ENDPOINT_URL to the address it prints.';

/** A deployed application, in AWS or on this machine. */
export interface Application {
  readonly bucket: string;
  readonly store: ObjectStore;
  readonly executions: ExecutionsOf<keyof Executions>;
  /** Links that open an object in a browser for an hour. */
  readonly links: PresignedLinks;
  readonly sagemaker: SageMaker;
  readonly endpoints: Endpoints;
  /** Executions of the state machine that changes endpoints. */
  readonly endpointChanges: Executions;
  /** Prefix of the names of all endpoints of this deployment. */
  readonly endpointPrefix: string;
  /** URLs of the queue of uploads and of the dead-letter queue. */
  readonly queues: { readonly uploads: string; readonly deadLetters: string };
  /** ARNs of the state machines. */
  readonly machines: LetterMachines;
  /** Address of the prediction API. */
  readonly apiUrl: string;
}

/**
 * Finds the application's resources through its CloudFormation stack. `AWS_ENDPOINT_URL` selects the stack's address; the access
 * key of a stack on this machine is read from its data folder. Waits for a stack that is still starting, and says so.
 *
 * @throws {Refusal} if there is no such stack, {UsageError} if the address is invalid, with the remedy
 */
export async function connect(stage: string): Promise<Application> {
  const endpoint = endpointInUse();
  await useStackOfMachine();
  // In AWS the profile may name the region, so there is no default.
  const region = process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION ?? (endpoint && 'us-east-1');
  if (region !== undefined) process.env.AWS_REGION = region;
  const place = endpoint?.origin ?? `AWS in ${region ?? "your profile's region"}`;

  const stackName = `inferdrop-${stage}`;
  const isLaptop = laptopInUse() !== undefined;
  const stack = await stackWhenUp({
    describe: () => describeStack(stackName),
    names: isLaptop ? stackNames : undefined,
    tell: () =>
      void process.stderr.write(`stack ${stackName} at ${place} is still starting: waiting for it…\n`),
    wait: () => wait(LOOK_EVERY_MS),
  }).catch((error: unknown) => {
    throw new Refusal(
      `${place} did not answer for stack ${stackName}: ${error instanceof Error ? error.message : String(error)}. ` +
        START_IT,
    );
  });
  if (stack === undefined) {
    throw new Refusal(
      `there is no stack ${stackName} at ${place}: deploy it (docs/deploy.md), or name its stage with --stage` +
        (endpoint === undefined ? ' and its region with AWS_REGION' : ''),
    );
  }
  const read = (name: string): string => {
    const value = stack.outputs.get(name);
    if (value === undefined)
      throw new Refusal(
        `stack ${stackName} at ${place} has no output ${name}, and its status is ${stack.status}: ` +
          `${isLaptop ? 'stop it, and bring it up again' : 'deploy this release again'}`,
      );
    return value;
  };
  const bucket = read('BucketName');
  const machines = {
    runs: byRunKind(({ machine }) => read(machine.output)),
    endpoint: read('EndpointMachineArn'),
  };
  const resourceTags = () => parseResourceTags(stack.parameters.get('ResourceTags') ?? '');
  return {
    bucket,
    store: objectStore({ bucket }),
    links: presignedLinks({ bucket, seconds: LINK_SECONDS }),
    executions: (kind) => executions({ stateMachineArn: machines.runs[kind] }),
    sagemaker: sageMaker(resourceTags),
    endpoints: withFunctionEndpoints(objectStore({ bucket }), endpoints(resourceTags), () => new Date()),
    endpointChanges: executions({ stateMachineArn: machines.endpoint }),
    endpointPrefix: stackName,
    queues: { uploads: read('UploadQueueUrl'), deadLetters: read('DeadLetterQueueUrl') },
    machines,
    apiUrl: read('ApiUrl'),
  };
}

/**
 * Makes this process use the key of the stack on this machine that `AWS_ENDPOINT_URL` names, if it names one.
 *
 * @throws {Refusal} if its key is unknown, or nothing listens there
 */
export async function useStackOfMachine(): Promise<void> {
  const laptop = laptopInUse();
  if (laptop !== undefined) await useCredentialsOf(laptop);
}

/** Makes this process use the key of a stack on this machine, replacing any AWS variables. */
export function useCredentials({
  accessKeyId,
  secretAccessKey,
}: Pick<StackCredentials, 'accessKeyId' | 'secretAccessKey'>): void {
  process.env.AWS_ACCESS_KEY_ID = accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = secretAccessKey;
  delete process.env.AWS_SESSION_TOKEN;
  process.env.AWS_EC2_METADATA_DISABLED ??= 'true';
}

/** @throws {Refusal} if neither the data folder nor the environment has a key, or nothing listens */
async function useCredentialsOf(endpoint: string): Promise<void> {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env;
  if (AWS_ACCESS_KEY_ID?.startsWith(LOCAL_KEY_PREFIX)) return;
  const found = await findCredentials(endpoint);
  if (found !== undefined) return useCredentials(found);
  if (AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY) return;
  const answers = await fetch(endpoint, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    () => true,
    () => false,
  );
  if (!answers) throw new Refusal(`nothing answers at ${endpoint}. ${START_IT}`);
  throw new Refusal(
    `the access key of the stack at ${endpoint} is unknown: ${DEFAULT_DATA_DIR}/ here is not its data folder, or it is still coming up. ` +
      'Run the command again when it is up, or export AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY as that stack printed them',
  );
}

/** Endpoint that replaces AWS; as for the SDK, an empty variable means none. */
export function endpointInUse(): URL | undefined {
  const text = process.env.AWS_ENDPOINT_URL ?? '';
  if (text === '') return undefined;
  const url = URL.parse(text);
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new UsageError(`AWS_ENDPOINT_URL must be an address as http://127.0.0.1:4820 is, is ${text}`);
}

/** Address of the stack on this machine, if it replaces AWS. */
export function laptopInUse(): string | undefined {
  const { origin, hostname = '' } = endpointInUse() ?? {};
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.') ? origin : undefined;
}
