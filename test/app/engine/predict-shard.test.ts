import { expect, test } from 'vitest';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { predictShard } from '../../../src/app/engine/lambda/predict-shard.ts';
import type { PredictingModel } from '../../../src/app/engine/lambda/predicting-model.ts';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { type DropFixture, frozenDrop, NOW, PARTS, PIPELINE, SETTINGS } from '../../support/drop-fixture.ts';
import { packedTar } from '../../support/packed-tar.ts';
import { frozenFiles, planWithTars } from '../../support/tar-drop.ts';

const NAMES = Array.from({ length: 10 }, (_, at) => `circle/${at}.json`);
const BUNDLE = bucketLayout.bundleOutput(PARTS, 'parts/1', 0);

/** The end of the function's process. */
class Death extends Error {}

async function planned(fixture: DropFixture = {}) {
  const store = await frozenDrop({
    pipeline: {
      ...PIPELINE,
      labels: { ...PIPELINE.labels, truth: { from: 'folder' } },
      transform: { engine: 'lambda', contentType: 'application/json', maxConcurrency: 1 },
    },
    files: Object.fromEntries(NAMES.map((name) => [name, 3])),
    archive: await modelArchive({ '1/saved_model.pb': 'graph' }),
    ...fixture,
  });
  for (const name of NAMES) store.put(`incoming/shapes/monday/${name}`, `"${name.slice(7, 8)}"`);
  await planRun({ run: PARTS }, { store, clock: () => NOW, settings: SETTINGS });
  const [item] = JSON.parse(store.text(bucketLayout.bundleItems(PARTS, 'parts/1'))!);
  return { store, item: predictShard.input.parse({ what: 'bundles', Items: [item] }) };
}

type Planned = Awaited<ReturnType<typeof planned>>;

/** Calls the function until it is done; `die` says whether it dies at a request to S3, or at an input. */
async function toEnd(
  { store, item }: Planned,
  {
    die = () => false,
    answer = async (body: string) => ({ status: 200, body: `answer ${body}` }),
    clock = () => NOW,
    peakMB = 0,
    renew = () => undefined,
    begin = () => undefined,
    startMs = () => 0,
  }: {
    die?: (what: string) => boolean;
    answer?: (body: string) => ReturnType<PredictingModel['answer']>;
    clock?: () => Date;
    peakMB?: number;
    renew?: () => void;
    begin?: () => void;
    startMs?: () => number;
  } = {},
) {
  const answered: string[] = [];
  let tick = (): void => undefined;
  let deaths = 0;
  for (let call = 1; ; call++) {
    if (call > 60) throw new Error('it does not end');
    let isDead = false;
    begin();
    const check = (what: string): void => {
      if (isDead || die(what)) {
        isDead = true;
        throw new Death(what);
      }
    };
    const mortal = new Proxy(store, {
      get: (target, name: keyof typeof store) =>
        name === 'in'
          ? () => mortal
          : typeof target[name] === 'function' && ['readText', 'readBytes', 'write'].includes(name)
            ? async (...args: unknown[]) => {
                check(`${name} ${String(args[0])}`);
                const done = await (target[name] as (...args: unknown[]) => Promise<unknown>)(...args);
                check(`after ${name} ${String(args[0])}`);
                return done;
              }
            : target[name],
    });
    const model: PredictingModel = {
      runtime: 'onnxruntime 1',
      async answer({ body }) {
        const text = Buffer.from(body).toString();
        tick();
        for (let turn = 0; turn < 5; turn++) await Promise.resolve();
        check(`input ${text}`);
        answered.push(text);
        return answer(text);
      },
      renewScript: async () => renew(),
    };
    try {
      const services = {
        store: mortal,
        clock,
        openModel: async () => {
          check('open');
          return model;
        },
        memoryMB: 1769,
        peakMB: () => peakMB,
        ticks: (call: () => void) => {
          tick = call;
          return () => undefined;
        },
        startMs,
      };
      const { isDone } = await predictShard(item, services);
      if (isDone) return { answered, deaths };
    } catch (error) {
      if (!isDead) throw error;
      deaths += 1;
    }
  }
}

const linesOf = ({ store }: Planned) =>
  store
    .text(BUNDLE)!
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('the inputs of a bundle are answered in their order, in one object', async () => {
  const run = await planned();
  await toEnd(run);
  const [head, ...lines] = linesOf(run);
  expect(head).toMatchObject({ inputs: 10, failed: [], memoryMB: 1769, runtime: 'onnxruntime 1' });
  expect(lines).toEqual(
    NAMES.map((name) => ({
      key: `incoming/shapes/monday/${name}`,
      output: `answer "${name.slice(7, 8)}"`,
    })),
  );
});

test('members of a tar are read from it, and none is written as an object', async () => {
  const store = await frozenFiles(
    { 'a.tar': await packedTar({ '0.json': 'zero', '1.json': 'one' }), 'b.json': 'beside' },
    {
      pipeline: {
        ...PIPELINE,
        transform: { engine: 'lambda', contentType: 'application/json', maxConcurrency: 1 },
      },
      archive: await modelArchive({ '1/saved_model.pb': 'graph' }),
    },
  );
  expect(await planWithTars(store)).toMatchObject({ status: 'planned', objects: 3 });
  const [item] = JSON.parse(store.text(bucketLayout.bundleItems(PARTS, 'parts/1'))!);
  const run = { store, item: predictShard.input.parse({ what: 'bundles', Items: [item] }) };
  expect(await toEnd(run)).toEqual({ answered: ['zero', 'one', 'beside'], deaths: 0 });
  expect(linesOf(run).slice(1)).toEqual(
    ['a.tar/0.json', 'a.tar/1.json', 'b.json'].map((name, at) => ({
      key: `incoming/shapes/monday/${name}`,
      output: `answer ${['zero', 'one', 'beside'][at]}`,
    })),
  );
  expect(store.keys(bucketLayout.unpacked(PARTS))).toEqual([]);
});

test('what the model refuses, and an input that is gone, are told with their places', async () => {
  const run = await planned();
  run.store.remove('incoming/shapes/monday/circle/2.json');
  await toEnd(run, {
    answer: async (body) =>
      body === '"5"' ? { status: 400, body: ' no such shape\n' } : { status: 200, body: 'fine' },
  });
  const [head, ...lines] = linesOf(run);
  expect(head.failed).toEqual([
    [2, 404],
    [5, 400],
  ]);
  expect(lines[2].error.message).toContain('was deleted');
  expect(lines[5].error).toEqual({ status: 400, message: 'no such shape' });
});

test('an input on which the process dies is named, and costs no other', async () => {
  const run = await planned();
  const { deaths } = await toEnd(run, { die: (what) => what === 'input "7"' });
  const [head, ...lines] = linesOf(run);
  expect(deaths).toBe(4);
  expect(head.failed).toEqual([[7, 500]]);
  expect(lines[7].error.message).toContain('died on this one input');
  expect(lines.filter(({ output }) => output !== undefined)).toHaveLength(9);
});

test('an input on which the script hangs costs no neighbor: those that were lost with it are asked alone', async () => {
  const run = await planned();
  let script = 0;
  const renewals: number[] = [];
  const { answered } = await toEnd(run, {
    answer: async (body) => {
      const own = script;
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      if (body === '"3"') script += 1;
      return own === script ? { status: 200, body } : { status: 502, body: 'no script' };
    },
    renew: () => renewals.push(script),
  });
  const [head, ...lines] = linesOf(run);
  expect(head.failed).toEqual([[3, 502]]);
  expect(lines.map(({ output }) => output ?? 'failed')).toEqual(
    NAMES.map((_, at) => (at === 3 ? 'failed' : `"${at}"`)),
  );
  expect(renewals).toEqual([1, 2]);
  expect(answered.filter((body) => body === '"3"')).toHaveLength(2);
  expect(answered).toHaveLength(17);
});

test('a read that S3 refuses is no death: the call that is repeated tries all inputs again', async () => {
  const run = await planned({ files: { [NAMES[0]!]: 3 } });
  const refused = Object.assign(new Error('Please reduce your request rate.'), { name: 'SlowDown' });
  let refusals = 2;
  const busy: typeof run.store = {
    ...run.store,
    in: () => busy,
    readBytes: async (key, range) => {
      if (key.startsWith('incoming/') && refusals-- > 0) throw refused;
      return run.store.readBytes(key, range);
    },
  };
  const busyRun = { ...run, store: busy };
  await expect(toEnd(busyRun)).rejects.toBe(refused);
  await expect(toEnd(busyRun)).rejects.toBe(refused);
  await toEnd(busyRun);
  expect(linesOf(run)[0]).toMatchObject({ failed: [] });
});

test('the memory that a process had which died is told', async () => {
  const run = await planned();
  await toEnd(run, { peakMB: 1700.4, die: (what) => what === 'input "7"' });
  const [, ...lines] = linesOf(run);
  expect(lines[7].error.message).toContain(
    'it ran out of memory, or crashed; its process had held 1700 of 1769 MB, which parameter PredictMemory raises',
  );
});

test('wherever the process dies once, nothing is lost and nothing is twice', async () => {
  const stages: string[] = [];
  await toEnd(await planned(), { die: (what) => (stages.push(what), false) });
  expect(stages.length).toBeGreaterThan(30);
  const whole = NAMES.map((name) => `incoming/shapes/monday/${name}`);
  for (const place of stages.keys()) {
    const run = await planned();
    let step = 0;
    const { deaths } = await toEnd(run, { die: () => step++ === place });
    expect(deaths).toBe(1);
    const [head, ...lines] = linesOf(run);
    expect(head).toMatchObject({ inputs: 10, failed: [] });
    expect(lines.map(({ key }) => key)).toEqual(whole);
    expect(lines.every(({ output }) => output !== undefined)).toBe(true);
  }
});

/** The same run with its inputs in two bundles of one batch: four, then six. */
async function plannedTwice(): Promise<Planned> {
  const { store, item } = await planned();
  if (item.what !== 'bundles') throw new Error('no batch');
  const [whole] = item.Items;
  const list = store.text(bucketLayout.sentInputs(PARTS, whole.list))!;
  const cut = Buffer.byteLength(list.split('\n').slice(0, 4).join('\n')) + 1;
  const halves = [
    { ...whole, end: cut, inputs: 4 },
    { ...whole, bundle: 1, start: cut, inputs: 6 },
  ] as const;
  return { store, item: { what: 'bundles', Items: [...halves] } };
}

const keysOf = ({ store }: Planned, bundle: number): string[] => {
  const [, ...lines] = store
    .text(bucketLayout.bundleOutput(PARTS, 'parts/1', bundle))!
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line).key.slice(-'0.json'.length));
};

const EACH_HALF = [
  NAMES.slice(0, 4).map((name) => name.slice(-'0.json'.length)),
  NAMES.slice(4).map((name) => name.slice(-'0.json'.length)),
];

test('bundles of a batch are answered in turn, and one that has its answers is left alone after a death', async () => {
  const run = await plannedTwice();
  const { answered, deaths } = await toEnd(run, { die: (what) => what === 'input "7"' });
  expect(deaths).toBe(4);
  expect(answered.filter((body) => body === '"2"')).toHaveLength(1);
  expect([keysOf(run, 0), keysOf(run, 1)]).toEqual(EACH_HALF);
});

test('wherever the process dies once in a batch, each bundle has each answer once', async () => {
  const stages: string[] = [];
  await toEnd(await plannedTwice(), { die: (what) => (stages.push(what), false) });
  for (const place of stages.keys()) {
    const run = await plannedTwice();
    let step = 0;
    await toEnd(run, { die: () => step++ === place });
    expect([keysOf(run, 0), keysOf(run, 1)]).toEqual(EACH_HALF);
    expect(linesOf(run)[0]).toMatchObject({ inputs: 4, failed: [] });
  }
});

test('a call of which the time is up begins no other bundle', async () => {
  const run = await plannedTwice();
  let now = NOW.getTime();
  let calls = 0;
  await toEnd(run, {
    begin: () => (calls += 1),
    clock: () => new Date(now),
    answer: async (body) => {
      if (body === '"3"') now += 300_000;
      return { status: 200, body };
    },
  });
  expect(calls).toBe(2);
  expect([keysOf(run, 0), keysOf(run, 1)]).toEqual(EACH_HALF);
});

test('where the time is up, the next call goes on', async () => {
  const run = await planned();
  let now = NOW.getTime();
  const { answered, deaths } = await toEnd(run, {
    clock: () => new Date(now),
    answer: async (body) => {
      now += 300_000;
      return { status: 200, body };
    },
  });
  expect(deaths).toBe(0);
  expect(new Set(answered).size).toBe(10);
  const [head, ...lines] = linesOf(run);
  expect(lines.map(({ output }) => output)).toEqual(NAMES.map((name) => `"${name.slice(7, 8)}"`));
  expect(head.ms).toBeGreaterThanOrEqual(10 * 300_000);
});

test('a script that hangs for as long as a function works is met once by those beside it, and once alone', async () => {
  const run = await planned();
  let now = NOW.getTime();
  const { answered } = await toEnd(run, {
    clock: () => new Date(now),
    answer: async (body) => {
      if (body !== '"3"') return { status: 200, body };
      now += 800_000;
      return { status: 504, body: 'late' };
    },
  });
  const [head] = linesOf(run);
  expect(head.failed).toEqual([[3, 504]]);
  expect(answered.filter((body) => body === '"3"')).toHaveLength(2);
});

test.each([
  ['are asked one by one after a function that had no more time', 3, 1],
  ['are not asked where their answers would come too late', 20_000_000, 0],
])('inputs that take 40 seconds each %s, and none is lost', async (_what, size, deathsOfTime) => {
  const run = await planned({ files: Object.fromEntries(NAMES.map((name) => [name, size])) });
  let now = NOW.getTime();
  let began = now;
  const { deaths } = await toEnd(run, {
    clock: () => new Date(now),
    begin: () => (began = now),
    // Lambda ends a function in the midst of an input.
    die: (what) => {
      if (!what.startsWith('input') || now + 40_000 < began + 300_000) return false;
      now = began + 300_000;
      return true;
    },
    answer: async (body) => {
      now += 40_000;
      return { status: 200, body };
    },
  });
  expect(deaths).toBe(deathsOfTime);
  const [head, ...lines] = linesOf(run);
  expect(head.failed).toEqual([]);
  expect(lines.map(({ output }) => output)).toEqual(NAMES.map((_, at) => `"${at}"`));
});

test('an input that takes longer than a function has is named with the engine that has more', async () => {
  const run = await planned();
  let now = NOW.getTime();
  await toEnd(run, {
    clock: () => new Date(now),
    die: (what) => {
      if (what !== 'input "7"') return false;
      now += 300_000;
      return true;
    },
  });
  const [head, ...lines] = linesOf(run);
  expect(head.failed).toEqual([[7, 500]]);
  expect(lines[7].error.message).toContain('longer for this one input than the 5 min');
});

test('a function that has just started and dies while it opens the model is paid for', async () => {
  const drop = await planned();
  let now = NOW.getTime();
  const starts = [1_000, 2_000];
  const { deaths } = await toEnd(drop, {
    clock: () => new Date(now),
    startMs: () => starts.shift() ?? 0,
    die: (what) => {
      if (what !== 'open' || starts.length === 0) return false;
      now += 20_000;
      return true;
    },
  });
  expect([deaths, linesOf(drop)[0].ms]).toEqual([1, 1_000 + 20_000 + 2_000]);
});
