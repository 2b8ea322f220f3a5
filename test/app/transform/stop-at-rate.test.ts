import { expect, test } from 'vitest';
import { checkTransform } from '../../../src/app/transform/check-transform.ts';
import { reconcileOutputs } from '../../../src/app/transform/reconcile-outputs.ts';
import { Plan } from '../../../src/plan/plan.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { JobRecord } from '../../../src/transform/job-record.ts';
import { toAnswerLine, toBundleHead, toErrorLine } from '../../../src/transform/output-bundle.ts';
import { drive, reconciled, record } from '../../support/drive-transform.ts';
import { NOW, PARTS, PIPELINE } from '../../support/drop-fixture.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';
import { memorySageMaker } from '../../support/memory-sagemaker.ts';
import { noEngine } from '../../support/no-engine.ts';
import { frozenFiles, planOfBundles } from '../../support/tar-drop.ts';

const clock = () => NOW;
const ROWS = 4_000;

/** A table with one row that can't be read, whose gate allows 2% of errors. */
async function tableRun(transform: object, confidence: number | null) {
  const rows = Array.from({ length: ROWS - 1 }, (_, at) => `${at},1,circle\n`);
  const pipeline = {
    ...PIPELINE,
    columns: { features: ['x', 'y'] },
    transform: { contentType: 'text/csv', ...transform },
    gate: { maxErrorRate: 0.02, minAccuracy: 0.5, confidence },
    labels: { ...PIPELINE.labels, truth: { from: 'column', column: 'shape' } },
  };
  const store = await frozenFiles({ 'a.csv': `x,y,shape\n${rows.join('')}1,2\n` }, { pipeline });
  await planOfBundles(store);
  return { store, plan: Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!)) };
}

/** A bundle of answers, of which the first are refused. */
const answers = (inputs: number, refused: number, status = 400) => {
  const failed = Array.from({ length: refused }, (_, at): [number, number] => [at, status]);
  const lines = Array.from({ length: inputs }, (_, at) =>
    at < refused
      ? toErrorLine(String(at), { status, message: 'x is no number' })
      : toAnswerLine(String(at), Buffer.from('0.9,0.1')),
  );
  return toBundleHead({ inputs, failed, ms: 1, memoryMB: 1_769, isJoint: false }) + lines.join('');
};
const bundlesOf = (store: MemoryObjectStore, list: string) =>
  JSON.parse(store.text(bucketLayout.bundleItems(PARTS, list))!) as { bundle: number; inputs: number }[];

test('functions are stopped as soon as the gate can’t be met any more, and their answers are kept', async () => {
  const { store, plan } = await tableRun({ engine: 'lambda' }, 0.95);
  expect(plan.limits.mostErrors).toBe(65);
  const stops: string[] = [];
  const looking = (status: JobRecord['status']) => ({
    ...noEngine,
    look: async ({ record: job }: { readonly record: JobRecord }) => ({ ...job, status }),
    stop: async ({ jobName }: { readonly jobName: string }) => void stops.push(jobName),
  });
  const look = (status: JobRecord['status'] = 'InProgress') =>
    checkTransform(
      { run: PARTS, attempt: 1, poll: 0 },
      { store, clock, engines: { sagemaker: noEngine, lambda: looking(status) } },
    );
  const [first, second] = bundlesOf(store, 'parts/1');
  const answer = ({ bundle, inputs }: { bundle: number; inputs: number }, refused: number) =>
    store.put(bucketLayout.bundleOutput(PARTS, 'parts/1', bundle), answers(inputs, refused));
  answer(first!, 30);
  await look();
  // With the row that can't be read these are 31 and 66.
  expect(record(store, 1)).toMatchObject({ heads: { read: [0], refused: 30 } });
  expect(stops).toEqual([]);
  answer(second!, 35);
  await look();
  const settled = 1 + first!.inputs + second!.inputs;
  const reason =
    `Stopped after ${settled.toLocaleString('en')} of 4,000 records: 66 have no answer, and gate.maxErrorRate 2% can be ` +
    'proven with at most 65';
  expect(record(store, 1).stopReason).toBe(reason);
  expect(stops).toHaveLength(1);
  await look('Stopped');
  const logs = memoryEngineLogs();
  const services = { store, clock, newId: () => crypto.randomUUID(), logs };
  expect(await reconcileOutputs({ run: PARTS, attempt: 1 }, services)).toMatchObject({
    next: 'fold',
    inputs: ROWS,
    missing: ROWS - (settled - 66),
  });
  expect(Object.values(reconciled(store)).filter((end) => end?.startsWith('parts/'))).toHaveLength(
    settled - 66,
  );
});

test('a job of SageMaker, which loses the answers of what is stopped, goes on to its end, and no further one starts', async () => {
  const { store, plan } = await tableRun({ bundle: 'auto' }, null);
  expect(plan.limits.mostErrors).toBe(80);
  const services = { store, sagemaker: memorySageMaker({ clock }), clock };
  const { answer, jobs } = await drive(services, (inputs) => ({
    write: inputs,
    status: 'Failed',
    body: (name) => {
      const at = Number(name.slice(-6));
      const { inputs: count } = bundlesOf(store, 'parts/1')[at]!;
      return at < 2 ? answers(count, 40) : answers(count, 1, 500);
    },
  }));
  expect(jobs.map(({ inputs }) => inputs.length)).toEqual([4]);
  expect(answer).toMatchObject({ next: 'fold', missing: 83 });
  expect(record(store, 1).stopReason).toMatch(/^Stopped after 3,998 of 4,000 records: 81 have no answer/);
});
