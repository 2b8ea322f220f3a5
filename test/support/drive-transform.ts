import type { LogsByEngine } from '../../src/app/engine/engine-logs.ts';
import type { ConvertModel } from '../../src/app/engine/lambda/predicting-model.ts';
import { bundleInputs } from '../../src/app/inputs/bundle-inputs.ts';
import { planRun } from '../../src/app/plan/plan-run.ts';
import { bundleItemsJson } from '../../src/app/records/bundle-items.ts';
import { parseReconciled } from '../../src/app/records/reconciled.ts';
import { checkTransform } from '../../src/app/transform/check-transform.ts';
import type { CompareRunServices } from '../../src/app/transform/compare-run.ts';
import { prepareModel } from '../../src/app/transform/prepare-model.ts';
import { reconcileOutputs } from '../../src/app/transform/reconcile-outputs.ts';
import { startTransform, type StartTransformServices } from '../../src/app/transform/start-transform.ts';
import type { TransformJobSpec } from '../../src/aws/sagemaker/transform-job.ts';
import { Plan } from '../../src/plan/plan.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { JobRecord } from '../../src/transform/job-record.ts';
import { aDrop } from './a-run.ts';
import { type DropFixture, frozenDrop, NOW, PARTS, SETTINGS } from './drop-fixture.ts';
import { memoryEngineLogs } from './memory-engine-logs.ts';
import { memoryEngines, memoryPreparers } from './memory-engines.ts';
import { memoryExecutions } from './memory-executions.ts';
import type { MemoryObjectStore } from './memory-object-store.ts';
import { type MemorySageMaker, memorySageMaker } from './memory-sagemaker.ts';
import { planWithTars } from './tar-drop.ts';

export const PREFIX = bucketLayout.dropFolder(aDrop('shapes/monday'));

/** A planned run, a SageMaker, and a clock that stands until it is set. */
export async function planned(fixture: DropFixture = {}) {
  const store = await frozenDrop(fixture);
  const time = { now: NOW };
  const clock = () => time.now;
  const sagemaker = memorySageMaker({ clock });
  await planRun({ run: PARTS }, { store, clock, settings: SETTINGS });
  const plan = Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!));
  const later = (minutes: number) => (time.now = new Date(time.now.getTime() + minutes * 60_000));
  const engines = memoryEngines({ store, sagemaker, clock });
  return { store, sagemaker, engines, clock, plan, later };
}

export const record = (store: MemoryObjectStore, attempt: number) =>
  JobRecord.parse(JSON.parse(store.text(bucketLayout.job(PARTS, attempt))!));
const inputsOf = (store: MemoryObjectStore, { input }: TransformJobSpec): string[] =>
  (JSON.parse(store.text(input.uri.replace('s3://bucket/', ''))!) as unknown[]).slice(1) as string[];
export const reconciled = (store: MemoryObjectStore) =>
  Object.fromEntries(
    (store.text(bucketLayout.reconciled(PARTS)) ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => parseReconciled(line))
      .map(({ name, output, error }) => [
        name.slice(PREFIX.length),
        error ?? output?.slice(bucketLayout.predictions(PARTS).length),
      ]),
  );

/** What SageMaker does with one job: writes the outputs of the inputs that are chosen, and ends. */
export type Behavior = (
  inputs: string[],
  spec: TransformJobSpec,
) => {
  write: string[];
  status: 'Completed' | 'Failed';
  failureReason?: string;
  body?: string | ((name: string) => string);
};

/** An answer that folding could count. */
const READABLE = '{"predictions": [[0.25, 0.75]]}';

export const failing =
  (...poison: string[]): Behavior =>
  (inputs) => {
    const write = inputs.filter((name) => !poison.includes(name));
    return write.length === inputs.length
      ? { write, status: 'Completed' }
      : { write, status: 'Failed', failureReason: 'AlgorithmError: See job logs for more information' };
  };

type Starting = Pick<StartTransformServices, 'store'> & {
  readonly sagemaker: MemorySageMaker;
  readonly run?: typeof PARTS;
} & Partial<Pick<StartTransformServices, 'executions' | 'clock'>>;

/** Has PrepareModel make the run's model ready. */
export const prepare = (
  { store, sagemaker }: Starting,
  convertModel: ConvertModel = () => Promise.reject(new Error('a run of containers converts no model')),
) => prepareModel({ run: PARTS }, { store, prepare: memoryPreparers(store, sagemaker), convertModel });

/** Has StartTransform look for hardware once; the run's execution goes on unless `executions` says otherwise. */
export const ask = (
  { store, sagemaker, executions = () => memoryExecutions(), clock = () => NOW, run = PARTS }: Starting,
  from: { attempt?: number; poll?: number; bundled?: number } = {},
) =>
  startTransform(
    { run, attempt: 1, poll: 0, bundled: 0, ...from },
    { store, engines: memoryEngines({ store, sagemaker, clock }), executions, clock },
  );

/** Has StartTransform start an attempt of the run, and BundleInputs write its bundles before. */
export async function start(services: Starting, from = { attempt: 1 }) {
  let started = await ask(services, { ...from, poll: 0 });
  if (started.status === 'bundle') {
    const { store, run = PARTS } = services;
    for (const item of await bundleItemsJson(run, started.list).require(store))
      await bundleInputs(bundleInputs.input.parse({ Items: [item] }), { store });
    started = await ask(services, { ...from, poll: 0, bundled: started.bundled });
  }
  if (started.status !== 'started') throw new Error(`StartTransform says ${started.status}`);
  return started;
}

/**
 * Drives StartTransform, CheckTransform and ReconcileOutputs as the state machine does, until they say fold; `attempt` may
 * repeat a step.
 */
export async function drive(
  {
    store,
    sagemaker,
    clock,
    settings = {},
    run = PARTS,
    from: first = { attempt: 1 },
    logs = memoryEngineLogs(),
  }: Pick<CompareRunServices, 'clock' | 'settings'> & {
    store: MemoryObjectStore;
    sagemaker: MemorySageMaker;
    run?: typeof PARTS;
    from?: { readonly attempt: number };
    logs?: LogsByEngine;
  },
  behave: Behavior,
  between: (jobs: number) => void = () => undefined,
  attempt: <T>(step: () => Promise<T>) => Promise<T> = (step) => step(),
) {
  const engines = memoryEngines({ store, sagemaker, clock });
  const jobs: { inputs: string[]; instanceType: string; maxConcurrentTransforms: number }[] = [];
  let resumed = 0;
  let state = first;
  for (;;) {
    const from = state;
    const started = await attempt(() => start({ store, sagemaker, run }, from));
    const { spec } = sagemaker.jobs.get(started.jobName)!;
    const inputs = inputsOf(store, spec);
    jobs.push({
      inputs,
      instanceType: spec.instanceType,
      maxConcurrentTransforms: spec.maxConcurrentTransforms,
    });
    const { write, body = READABLE, ...end } = behave(inputs, spec);
    for (const name of write)
      store.put(`${bucketLayout.predictions(run)}${name}.out`, typeof body === 'string' ? body : body(name));
    sagemaker.update(started.jobName, { ...end, startedAt: clock(), endedAt: clock() });
    const checked = await attempt(() => checkTransform({ run, ...from, poll: 0 }, { store, engines, clock }));
    if (checked.status === 'no-capacity') {
      state = { attempt: checked.attempt };
      continue;
    }
    if (checked.status !== 'ended') throw new Error(`job is ${checked.status}`);
    between(jobs.length);
    const reconcile = { run, ...from };
    const services = { store, clock, newId: () => crypto.randomUUID(), settings, logs };
    let answer = await attempt(() => reconcileOutputs(reconcile, services));
    for (; answer.next === 'reconcile'; resumed++)
      answer = await attempt(() => reconcileOutputs(reconcile, services));
    if (answer.next === 'fold') return { answer, jobs, resumed, attempt: from.attempt };
    if (answer.next === 'plan') await planWithTars(store, run);
    state = { attempt: answer.attempt };
  }
}
