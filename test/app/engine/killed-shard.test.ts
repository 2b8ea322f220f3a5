import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FIRST, rowNetwork, SECOND } from '../../../packages/model-container/test/support/row-network.ts';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { Plan } from '../../../src/plan/plan.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { frozenDrop, NOW, PARTS, PIPELINE, SETTINGS } from '../../support/drop-fixture.ts';
import type { FromShard } from '../../support/shard-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ENTRY = fileURLToPath(new URL('../../support/shard-process.ts', import.meta.url));
const BUNDLE = bucketLayout.bundleOutput(PARTS, 'parts/1', 0);
/** Each process compiles the same modules. */
const CACHE = temporaryFolder('shard-modules-');
/** A heap that some arrays exhaust. */
const HEAP = '--max-old-space-size=64';

/** A planned run of a real model, whose only bundle has these inputs. */
async function planned(bodies: Readonly<Record<string, string>>) {
  const archive = await rowNetwork();
  const store = await frozenDrop({
    pipeline: {
      ...PIPELINE,
      labels: { classes: ['a', 'b', 'c', 'd'], truth: null },
      transform: { engine: 'lambda', contentType: 'application/json', maxConcurrency: 1 },
    },
    files: Object.fromEntries(Object.keys(bodies).map((name) => [name, 30])),
    archive,
  });
  for (const [name, body] of Object.entries(bodies)) store.put(`incoming/shapes/monday/${name}`, body);
  await planRun({ run: PARTS }, { store, clock: () => NOW, settings: SETTINGS });
  const { model } = Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!));
  store.put(bucketLayout.model(model.sha256), archive);
  const [item] = JSON.parse(store.text(bucketLayout.bundleItems(PARTS, 'parts/1'))!);
  return { store, item: JSON.stringify({ what: 'bundles', Items: [{ ...item, run: PARTS }] }) };
}

type Planned = Awaited<ReturnType<typeof planned>>;

/** Starts the function's process until one ends well, as the state machine does. `kill` says whether it is killed at a call. */
async function toEnd({ store, item }: Planned, kill: (call: string) => boolean = () => false) {
  const ends: string[] = [];
  for (;;) {
    if (ends.length > 20) throw new Error(`it does not end: ${ends.join(', ')}`);
    const child = fork(ENTRY, [item], {
      execArgv: [HEAP],
      env: { ...process.env, NODE_COMPILE_CACHE: CACHE },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    let isKilled = false;
    let isDone = false;
    const hear = async (message: FromShard): Promise<void> => {
      if (isKilled) return;
      if ('done' in message) return void (isDone = message.done);
      const { id, call, args } = message;
      const die = (when: string): void => {
        if (isKilled || !kill(`${when}${call} ${String(args[0])}`)) return;
        isKilled = true;
        child.kill('SIGKILL');
      };
      die('');
      if (isKilled) return;
      const value = call in store ? await (store as any)[call](...args) : undefined;
      die('after ');
      if (!isKilled && child.connected) child.send({ id, value });
    };
    child.on('message', (message: FromShard) => void hear(message));
    const [code, signal] = await new Promise<unknown[]>((resolve) =>
      child.once('exit', (...how) => resolve(how)),
    );
    if (isDone) return ends;
    ends.push(String(signal ?? code));
  }
}

const linesOf = ({ store }: Planned) =>
  store
    .text(BUNDLE)!
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const row = (values: readonly number[]): string => JSON.stringify({ instances: [values] });

test('a process that is killed while it reads, converts, infers and writes ends with each answer once', async () => {
  const bodies = Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [`${at}.json`, row(at % 2 === 0 ? FIRST : SECOND)]),
  );
  const whole = await planned(bodies);
  await toEnd(whole);
  const stages = [
    /^convert/,
    /^after readBytes models\//,
    /^readBytes incoming\//,
    /^infer .*/,
    /^after write .*\.jsonl/,
    /^write .*\/predictions\//,
    /^after write .*\/predictions\//,
  ];
  const left = [...stages];
  const killed = await planned(bodies);
  const ends = await toEnd(killed, (call) => left[0]?.test(call) === true && left.shift() !== undefined);

  expect(ends).toEqual(stages.map(() => 'SIGKILL'));
  const [head, ...lines] = linesOf(killed);
  expect(head).toMatchObject({ inputs: 8, failed: [] });
  expect(lines).toEqual(linesOf(whole).slice(1));
  expect(lines.map(({ key }) => key.slice(-6))).toEqual(Object.keys(bodies));
});

test('an input that crashes the process and one that exhausts its memory are named, and cost no other', async () => {
  const bodies = { '1.json': row(FIRST), '2.json': '"crash"', '3.json': '"greedy"', '4.json': row(SECOND) };
  const run = await planned(bodies);
  const ends = await toEnd(run);
  const [head, ...lines] = linesOf(run);

  expect(new Set(ends)).toEqual(new Set(['SIGABRT']));
  expect(head.failed).toEqual([
    [1, 500],
    [2, 500],
  ]);
  expect(lines.map(({ error }) => error?.message ?? 'answered')).toEqual([
    'answered',
    expect.stringContaining('died on this one input'),
    expect.stringContaining('died on this one input'),
    'answered',
  ]);
});
