import { createHash } from 'node:crypto';
import { bucketLayout, PIPELINE_FOLDERS, runOfKey } from '../../run/bucket-layout.ts';
import { toExecutionName } from '../../run/execution-name.ts';
import { isAlive } from '../../run/execution-status.ts';
import { FIRST_GENERATION } from '../../run/generation.ts';
import type { RunParts } from '../../run/run-id.ts';
import { startEndpointChange } from '../endpoint/start-endpoint-change.ts';
import { servedJson } from '../records/endpoint.ts';
import { planJson } from '../records/plan.ts';
import type { VerifyServices } from './check.ts';
import { lookUntil } from './look-until.ts';
import { testArchive } from './probe/archive.ts';
import { isUnderWay } from './probe/job.ts';
import { isProbeName, toProbeName, VERIFY_PIPELINE } from './probe/name.ts';
import { awaitExecution } from './probe/run.ts';
import type { CleanUp } from './verify.ts';

type Services = Pick<
  VerifyServices,
  | 'stack'
  | 'store'
  | 'sagemaker'
  | 'endpoints'
  | 'executions'
  | 'endpointChanges'
  | 'runningJobs'
  | 'uploads'
  | 'purge'
  | 'pollMs'
  | 'clock'
  | 'wait'
>;

const MAX_MS = 15 * 60_000;
const MAX_REPORTED_MS = 120_000;
const MAX_GENERATIONS = 5;

/**
 * Removes all that verifications of this stack have created, this one's and the remains of earlier ones, found only by name, so that no
 * record is needed. A thing that cannot be removed does not stop the removal of the rest. `wait` must keep working after an interruption.
 */
export async function cleanUp(services: Services): Promise<CleanUp> {
  const removed: string[] = [];
  const left: string[] = [];
  const step = async (what: string, act: () => Promise<readonly string[]>): Promise<void> => {
    try {
      removed.push(...(await act()));
    } catch (error) {
      left.push(`${what}: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`);
    }
  };
  const { stack } = services;
  const probes = (names: readonly string[]): readonly string[] =>
    names.filter((name) => isProbeName(stack.name, name));
  const prefix = toProbeName(stack.name, '');

  await step('rules and queues', async () => {
    const names = probes(await services.uploads.names(prefix));
    for (const name of names) await services.uploads.close(name);
    return names.map((name) => `rule and queue ${name}`);
  });
  await step('executions', () => stopRuns(services));
  await step('endpoint', () => deleteEndpoint(services));
  await step('transform jobs', async () => {
    const names = [
      ...probes(await services.runningJobs(prefix)),
      ...(await services.runningJobs(`inferdrop-${VERIFY_PIPELINE}-`)),
    ];
    for (const name of names) await services.sagemaker.stopTransformJob(name);
    for (const name of names) await untilEnded(services, name);
    return names.map((name) => `transform job ${name}`);
  });
  await step('configurations', async () => {
    const names: string[] = [];
    for await (const name of services.endpoints.configNames(prefix))
      if (isProbeName(stack.name, name)) names.push(name);
    for (const name of names) await services.endpoints.deleteConfig(name);
    return names.map((name) => `configuration ${name}`);
  });
  await step('models', async () => {
    const names = await plannedModels(services);
    for await (const name of services.endpoints.modelNames(prefix))
      if (isProbeName(stack.name, name)) names.push(name);
    for (const name of names) await services.sagemaker.deleteModel(name);
    return names.map((name) => `model ${name}`);
  });
  await step('objects', async () => {
    const sha256 = createHash('sha256')
      .update(await testArchive())
      .digest('hex');
    const folders = [
      ...PIPELINE_FOLDERS.map((folder) => bucketLayout.pipelineFolder(folder, VERIFY_PIPELINE)),
      bucketLayout.modelFolder(sha256),
    ];
    let objects = 0;
    for (const folder of folders) objects += await services.purge(services.store.bucket, folder);
    return objects === 0 ? [] : [`${objects} object versions`];
  });
  return { removed, left };
}

/**
 * Stops the runs of the verification's pipeline, and waits until the stack has written its last document about
 * them. Its files go first: a run that is stopped before it has taken them leaves them to the next generation.
 */
async function stopRuns(services: Services): Promise<readonly string[]> {
  const { store, executions, purge } = services;
  const stopped: string[] = [];
  for (let generation = 1; generation <= MAX_GENERATIONS; generation++) {
    const running = await runningRuns(services);
    if (running.length === 0) break;
    await purge(store.bucket, bucketLayout.pipelineFolder('incoming', VERIFY_PIPELINE));
    for (const run of running) {
      const arn = executions.arnOf(toExecutionName(run));
      await executions.stop(arn, { error: 'Verified', cause: 'inferdrop verify was interrupted' });
      await untilTold(services, run);
      stopped.push(`execution ${toExecutionName(run)}`);
    }
  }
  return stopped;
}

async function runningRuns({ store, executions }: Services): Promise<readonly RunParts[]> {
  const running: RunParts[] = [];
  for await (const drop of store.listFolders(bucketLayout.pipelineFolder('state', VERIFY_PIPELINE)))
    for await (const generation of store.listFolders(drop)) {
      const run = runOfKey(generation);
      if (run === undefined) continue;
      const execution = await executions.describe(executions.arnOf(toExecutionName(run)));
      if (isAlive(execution)) running.push(run);
    }
  return running;
}

/** Waits for the message, the last thing that a failed run writes; a stack that cannot write it must not hold up the rest. */
async function untilTold(services: Services, run: RunParts): Promise<void> {
  const look = () => services.store.describe(bucketLayout.message(run));
  await lookUntil(look, { ...services, maxMs: MAX_REPORTED_MS });
}

async function deleteEndpoint(services: Services): Promise<readonly string[]> {
  const { store, endpointChanges, clock } = services;
  const served = await servedJson(VERIFY_PIPELINE).read(store);
  if (served === undefined) return [];
  const { arn } = await startEndpointChange(
    endpointChanges,
    { action: 'delete', pipeline: VERIFY_PIPELINE, reason: 'inferdrop verify was interrupted' },
    `clean-up ${clock().toISOString()}`,
  );
  const end = await awaitExecution(endpointChanges, arn, services, MAX_MS);
  if (end !== 'SUCCEEDED') throw new Error(`${served.endpointName} is not deleted: ${end}`);
  return [`endpoint ${served.endpointName}`];
}

async function untilEnded(services: Services, name: string): Promise<void> {
  const hasEnded = async () => !isUnderWay(await services.sagemaker.describeTransformJob(name)) || undefined;
  if ((await lookUntil(hasEnded, { ...services, maxMs: MAX_MS })) === undefined)
    throw new Error(`${name} has not ended within ${MAX_MS / 60_000} minutes`);
}

/** Models that runs of the verification's pipeline have made: their names are in the plans. */
async function plannedModels({ store }: Services): Promise<string[]> {
  const names = new Set<string>();
  for await (const drop of store.listFolders(bucketLayout.pipelineFolder('runs', VERIFY_PIPELINE))) {
    const run = runOfKey(`${drop}${FIRST_GENERATION}/`);
    const plan = run && (await planJson(run).read(store));
    if (plan !== undefined) names.add(plan.model.name);
  }
  return [...names];
}
