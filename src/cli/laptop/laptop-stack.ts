import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Stack, type StackOptions, startStack } from '@inferdrop/laptop';
import { mustBeDeleted } from '@inferdrop/laptop/internal/stack-record';
import { requireEngine } from '@inferdrop/model-container/internal/engine-environment';
import { findPython } from '@inferdrop/model-container/internal/find-python';
import { type Package, packageApplication } from '#package-application';
import { duration } from '../../text/figures.ts';
import { useCredentials } from '../application.ts';
import { Refusal } from '../refusal.ts';
import { ROOT } from '../root-folder.ts';
import { type Terminal, visible } from '../show/terminal.ts';
import { lockDataFolder } from './data-folder.ts';
import { rootWarning } from './root-warning.ts';
import { DEFAULT_DATA_DIR, ownerKey, type StackCredentials, storeCredentials } from './stack-credentials.ts';

/** Settings of the stack itself; its clock, its faults and what is called with answers and permissions are for tests. */
type OwnOptions =
  | 'clock'
  | 'faults'
  | 'onBadAnswer'
  | 'onAllowed'
  | 'containers'
  | 'homePage'
  | 'trainingMode'
  | 'trainingPythons'
  | 'anyFrameworkVersion'
  | 'legacyElasticInference'
  | 'limits';

/** Settings of a stack on this machine. */
export interface Machine extends Partial<Pick<StackOptions, OwnOptions>> {
  readonly stage: string;
  readonly port: number;
  readonly dataDir: string;
  /** Accepts the access key `test` with the secret `test`, for suites that support no other. */
  readonly openCredentials?: boolean;
  /** Whether updates of endpoints take as long as they ask for. */
  readonly exactWaits?: boolean;
  /** Parameters of the template, such as `KmsKeyArn`, besides those that every laptop has. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** A placeholder: the stack writes e-mail into the folder `outbox` of its data. */
const ADDRESS = 'you@example.com';

/** The longest time for which an update of an endpoint keeps its old fleet: nobody waits five minutes on a laptop. */
const UPDATE_WAIT_SECONDS = 10;

/** A stack on this machine, and the access key of its owner. */
interface RaisedStack {
  readonly stack: Stack;
  readonly owner: Pick<StackCredentials, 'accessKeyId' | 'secretAccessKey'>;
}

/**
 * Brings the stack up, and configures this process to use it.
 *
 * @throws {Refusal} if the port or the data folder is in use by another stack
 */
export async function bringUp(machine: Machine, terminal: Terminal): Promise<Stack> {
  const { stack, owner } = await raiseStack(machine, terminal);
  process.env.AWS_ENDPOINT_URL = stack.endpoint;
  process.env.AWS_REGION = stack.site.region;
  useCredentials(owner);
  return stack;
}

/**
 * The local counterpart of `serverless deploy`: creates the deployment bucket, uploads the bundles, and deploys the packaged
 * template. Leaves the environment of this process as it is.
 *
 * @throws {Refusal} if the port or the data folder is in use by another stack
 */
export async function raiseStack(machine: Machine, terminal: Terminal): Promise<RaisedStack> {
  const { stage, dataDir, exactWaits = false, openCredentials = false, parameters, ...own } = machine;
  const { port, containers } = own;
  // A missing Python is refused here, with the remedy, rather than in the first job.
  if (containers?.engine === 'python') requireEngine('tensorflow');
  if (containers?.handlers === 'python') await findPython();
  const warning = rootWarning(process.getuid?.());
  if (warning !== undefined) terminal.note(warning);
  const { color } = terminal;
  const began = performance.now();
  const tell = (name: string, text: string): void =>
    terminal.note(`  ${color.green('✓')} ${name.padEnd(15)}${color.dim(text)}`);
  terminal.status('  packaging serverless.yml…');
  const dir = path.resolve(dataDir);
  const giveBack = await lockDataFolder(dir);
  const owner = await ownerKey(dir, openCredentials).catch(async (error: unknown) => {
    await giveBack();
    throw error;
  });
  const start = async (): Promise<Stack> => {
    const stack = await startStack({
      anyFrameworkVersion: false,
      legacyElasticInference: false,
      ...own,
      ...(!exactWaits && { longestUpdateWaitSeconds: UPDATE_WAIT_SECONDS }),
      dir,
      credentials: { [owner.accessKeyId]: owner.secretAccessKey },
      onService: tell,
      onEmail: ({ subject }) => terminal.note(`  ✉ ${visible(subject)}`),
    });
    try {
      // From now on commands in other terminals find the stack, and wait for it.
      await storeCredentials(dir, { endpoint: stack.endpoint, ...owner });
      return stack;
    } catch (error) {
      await stack.close();
      throw error;
    }
  };
  const [packaged, started] = await Promise.allSettled([packageApplication(ROOT, stage), start()]);
  const close = async (): Promise<void> => {
    try {
      if (started.status === 'fulfilled') await started.value.close();
    } finally {
      await giveBack();
    }
  };
  try {
    if (started.status === 'rejected') throw toStartError(started.reason, port);
    if (packaged.status === 'rejected') throw packaged.reason;
    const { value: stack } = started;
    terminal.status('  deploying serverless.yml…');
    const deployed = await deployPackage(stack, stage, packaged.value, parameters);
    tell(
      'serverless.yml',
      `${deployed.resources.length} resources of ${toStackName(stage)} in ${seconds(began)}`,
    );
    if (!exactWaits)
      terminal.note(
        color.dim(
          `  Unlike AWS, updates of endpoints keep old instances for ${UPDATE_WAIT_SECONDS} s at most, unless with --exact-waits`,
        ),
      );
    return { stack: { ...stack, close }, owner };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Updates the application's stack to a package, as `serverless deploy` does, also while it is running. */
export async function deployPackage(
  stack: Stack,
  stage: string,
  { bucketTemplate, template, bundles, billOfMaterials }: Package,
  given: Machine['parameters'] = {},
): Promise<ReturnType<Stack['find']>> {
  const stackName = toStackName(stage);
  // A CloudFormation rule: a stack with a rolled-back creation can only be deleted.
  const left = stack.statusOf(stackName);
  if (left !== undefined && mustBeDeleted(left)) await stack.delete(stackName);
  if (stack.statusOf(stackName) === undefined)
    await stack.deploy({ stackName, template: bucketTemplate, parameters: {} });
  const bucket = stack
    .find(stackName)
    .outputs.find(({ key }) => key === 'ServerlessDeploymentBucketName')?.value;
  if (bucket === undefined)
    throw new Error('the packaged template has no output ServerlessDeploymentBucketName');
  const folder = await uploadBundles(stack, bucket, template, bundles);
  await stack.objects.write(bucket, `${folder}/sbom.cdx.json`, Buffer.from(billOfMaterials));
  const parameters = { Stage: stage, NotificationEmail: ADDRESS, ...given };
  return stack.deploy({ stackName, template, parameters });
}

/** Name of the application's stack. */
export function toStackName(stage: string): string {
  return `inferdrop-${stage}`;
}

/** The variables that point an AWS client of another process to a stack. */
export function awsVariables({ stack, owner }: RaisedStack): Readonly<Record<string, string>> {
  return {
    AWS_ENDPOINT_URL: stack.endpoint,
    AWS_ACCESS_KEY_ID: owner.accessKeyId,
    AWS_SECRET_ACCESS_KEY: owner.secretAccessKey,
    AWS_REGION: stack.site.region,
  };
}

/** The settings that point an AWS client of another terminal to the stack; this process has them already. */
export function exportLines({ endpoint, site }: Stack): string[] {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env;
  return [
    `export AWS_ENDPOINT_URL=${endpoint}`,
    `export AWS_ACCESS_KEY_ID=${AWS_ACCESS_KEY_ID} AWS_SECRET_ACCESS_KEY=${AWS_SECRET_ACCESS_KEY}`,
    `export AWS_DEFAULT_REGION=${site.region}`,
  ];
}

/**
 * The lines that inferdrop itself needs in another terminal in this folder: it finds the access key in the default data folder, but
 * in no other.
 */
export function ownExportLines(stack: Stack, dataDir: string): string[] {
  const isFound = [process.cwd(), ROOT].some(
    (folder) => path.resolve(dataDir) === path.join(folder, DEFAULT_DATA_DIR),
  );
  return exportLines(stack).slice(0, isFound ? 1 : 2);
}

/** The error to report: a port in use has a remedy on the command line; other errors are passed on. */
function toStartError(error: unknown, port: number): unknown {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    ? new Refusal(
        `port ${port} is taken, perhaps by another stack: stop that one, or name another port with --port (0 takes any free one)`,
      )
    : error;
}

/** Resolves at Ctrl-C or at another request to stop the process. */
export function untilInterrupted(terminal: Terminal): Promise<void> {
  terminal.status('');
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

/**
 * Uploads each bundle to the key that the template names for its function; a key is of one packaging, so that a later start
 * finds it there. Returns the deployment's folder.
 */
async function uploadBundles(
  stack: Stack,
  bucket: string,
  template: string,
  bundles: string,
): Promise<string> {
  const keys = new Set(Array.from(template.matchAll(/"S3Key":\s*"([^"]+)"/g), ([, key = '']) => key));
  for (const key of keys) {
    const file = path.join(bundles, path.posix.basename(key));
    if (stack.objects.head(bucket, key)?.size === (await stat(file)).size) continue;
    await stack.objects.write(bucket, key, await readFile(file));
  }
  const [folder, ...others] = new Set(Array.from(keys, (key) => path.posix.dirname(key)));
  if (folder === undefined || others.length > 0)
    throw new Error(
      `the packaged template must have its functions' code in one folder, has ${others.length + 1}`,
    );
  return folder;
}

function seconds(since: number): string {
  return duration((performance.now() - since) / 1000);
}
