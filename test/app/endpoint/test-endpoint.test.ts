import { describe, expect, it, test } from 'vitest';
import { testEndpoint } from '../../../src/app/endpoint/test-endpoint.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { planWith, reconciledRun, RUN, type RunInput, runKeys } from '../../support/report-run.ts';

/** Text of a record and its answer, by the name of its table. */
type Records = Readonly<Record<string, readonly [string, string]>>;

/** What an endpoint is sent about records of tables, and what becomes of its answer. */
async function tested(files: Records, answer: string, proof: 'needed' | 'given' = 'needed') {
  const base = planWith();
  const inputs = Object.entries(files).map(([name, [, output]]): RunInput => ({ name, output }));
  const { store, run, plan } = reconciledRun(inputs, {
    plan: {
      transform: { ...base.transform, contentType: 'text/csv', accept: 'text/csv', splitType: 'Line' },
    },
  });
  const lines: string[] = [];
  for (const [name, [body]] of Object.entries(files)) {
    const { key: object, etag } = store.put(plan.input.prefix + name, `label,${body}`);
    const staged = store.put(`staged/${name}`, body);
    const output = `runs/${RUN}/predictions/${name}.out`;
    const unpacked = { bucket: store.bucket, key: staged.key };
    const member = { object, etag, start: 0, end: staged.size, unpacked };
    const entry = { key: object, etag: 'x', size: staged.size, lastModified: '2026-11-21T09:00:00.000Z' };
    lines.push(JSON.stringify({ ...entry, member, output }));
  }
  store.put(`runs/${RUN}/reconciled.jsonl`, `${lines.join('\n')}\n`);
  expect(run.pipeline).toBe('shapes');
  const sent: string[] = [];
  const outcome = await testEndpoint(
    { run: runKeys(), endpointName: 'e', proof },
    {
      store,
      pause: () => Promise.resolve(),
      runtime: {
        invoke: (_name, { body, contentType: type, accept }) => {
          expect([type, accept]).toEqual(['text/csv', 'text/csv']);
          sent.push(Buffer.from(body).toString());
          return Promise.resolve({ body: Buffer.from(answer), contentType: 'text/csv', variant: 'v' });
        },
      },
    },
  );
  return { sent: sent.sort(), outcome };
}

const CSV: Records = { 'a.csv': ['1.50,2', '0,0.1,0.9\n'], 'b.csv': ['"5,0",6', '0,0.1,0.9\n'] };

test('the endpoint gets records as batch got them', async () => {
  const { sent, outcome } = await tested(CSV, '0,0.1,0.9');
  expect(sent).toEqual(['"5,0",6', '1.50,2']);
  expect(outcome).toEqual({ status: 'agrees', tested: 2, reason: null });
});

test.each([
  ['0.9,0.1,0\n', 'the endpoint answered scores that differ'],
  ['star', "the endpoint's answer cannot be read"],
  ['0,0.1,0.9\n0,0.1,0.9\n', 'has 2 predictions for one record'],
])('another answer keeps it from serving', async (answer, reason) => {
  const { outcome } = await tested(CSV, answer);
  expect(outcome).toMatchObject({ status: 'disagrees', reason: expect.stringContaining(reason) });
});

test('20 inputs from all over the run, and 20 others after the switch', async () => {
  const one = (index: number) =>
    [`file-${String(index).padStart(3, '0')}.csv`, [`${index}`, '0,0.1,0.9']] as const;
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => one(i)));
  const first = await tested(many, '0,0.1,0.9\n');
  const second = await tested(many, '0,0.1,0.9\n', 'given');

  expect([first.outcome, second.outcome]).toEqual(
    [first, second].map(() => ({ status: 'agrees', tested: 20, reason: null })),
  );
  const numbers = [first, second].map(({ sent }) => sent.map(Number));
  for (const asked of numbers) {
    expect(Math.min(...asked)).toBeLessThan(30);
    expect(Math.max(...asked)).toBeGreaterThan(270);
  }
  expect(new Set(numbers.flat()).size).toBeGreaterThanOrEqual(40);
  // Four at once: three may be under way when the twentieth begins.
  for (const asked of numbers) expect(asked.length).toBeLessThanOrEqual(23);
});

test('where there are no others, the second test uses the same', async () => {
  const { sent, outcome } = await tested(CSV, '0,0.1,0.9\n', 'given');
  expect([sent, outcome.tested]).toEqual([['"5,0",6', '1.50,2'], 2]);
});

describe('images, one request each', () => {
  const ANSWER = '{"predictions": [[0.1, 0.2, 0.7]]}';
  const named = (name: string, message = name) => Object.assign(new Error(message), { name });

  async function images(
    inputs: readonly RunInput[],
    answers: readonly (string | Error)[],
    change: { plan?: Parameters<typeof planWith>[0]; bodies?: Readonly<Record<string, string>> } = {},
  ) {
    const bodies = change.bodies ?? Object.fromEntries(inputs.map(({ name }) => [name, name]));
    const scratch = memoryObjectStore({ bucket: 'bucket' });
    const { store, plan } = reconciledRun(
      inputs.map((input) => ({ etag: scratch.put(input.name, bodies[input.name] ?? '').etag, ...input })),
      { plan: change.plan ?? {} },
    );
    for (const [name, body] of Object.entries(bodies)) store.put(plan.input.prefix + name, body);
    const sent: string[] = [];
    const paused: number[] = [];
    const invoke = async (_: string, { body }: { readonly body: Uint8Array }) => {
      const answer = answers[Math.min(sent.length, answers.length - 1)]!;
      sent.push(Buffer.from(body).toString());
      if (answer instanceof Error) throw answer;
      return { body: Buffer.from(answer), contentType: 'application/json', variant: 'v' };
    };
    const runtime = { invoke } as unknown as Parameters<typeof testEndpoint>[1]['runtime'];
    const pause = async (ms: number) => void paused.push(ms);
    const request = { run: runKeys(), endpointName: 'e', proof: 'needed' as const };
    return { testing: testEndpoint(request, { store, runtime, pause }), sent, paused, store };
  }

  it('have their answers compared by what they say, not by their bytes', async () => {
    const { testing, sent } = await images([{ name: 'a.png', output: ANSWER }], [ANSWER.replaceAll(' ', '')]);
    expect(await testing).toEqual({ status: 'agrees', tested: 1, reason: null });
    expect(sent).toEqual(['a.png']);
  });

  it('agree where the answer is the same to the byte, whatever it says', async () => {
    const { testing } = await images([{ name: 'a.png', output: '<html>' }], ['<html>']);
    expect(await testing).toMatchObject({ status: 'agrees', tested: 1 });
  });

  it('have one prediction each', async () => {
    const two = '{"predictions": [[0.1, 0.2, 0.7], [0.1, 0.2, 0.7]]}';
    const { testing } = await images([{ name: 'a.png', output: ANSWER }], [two]);
    expect(await testing).toMatchObject({
      reason: expect.stringContaining('has 2 predictions for one record'),
    });
  });

  it('of another number of classes end the state, which goes back', async () => {
    const { testing } = await images([{ name: 'a.png', output: ANSWER }], ['{"predictions": [[0.5, 0.5]]}']);
    await expect(testing).rejects.toMatchObject({ name: 'ClassCountMismatch' });
  });

  it.each([
    ['ModelError', 'the endpoint failed (boom)', 1],
    ['ModelNotReady', 'the endpoint failed (boom)', 9],
    ['EndpointAsleep', 'the endpoint failed (boom)', 9],
    ['InvocationAborted', 'the endpoint failed (boom)', 1],
  ])('that end in %s keep the endpoint from serving', async (name, reason, times) => {
    const { testing, sent } = await images([{ name: 'a.png', output: ANSWER }], [named(name, 'boom')]);
    expect(await testing).toEqual({
      status: 'disagrees',
      tested: 1,
      reason: expect.stringContaining(reason),
    });
    expect(sent).toHaveLength(times);
  });

  it('wait while a serverless endpoint wakes up', async () => {
    const { testing, paused } = await images(
      [{ name: 'a.png', output: ANSWER }],
      [named('ModelNotReady'), named('ModelNotReady'), ANSWER],
    );
    expect(await testing).toMatchObject({ status: 'agrees' });
    expect(paused).toEqual([1_000, 2_000]);
  });

  it('say nothing where the endpoint cannot be asked: the state is tried again', async () => {
    const { testing, paused } = await images([{ name: 'a.png', output: ANSWER }], [named('Throttled')]);
    await expect(testing).rejects.toMatchObject({ name: 'Throttled' });
    expect(paused).toEqual([]);
  });

  it('are asked for no more once one disagrees', async () => {
    const many = Array.from({ length: 20 }, (_, at) => ({ name: `${at}.png`, output: ANSWER }));
    const { testing, sent } = await images(many, ['{"predictions": [[0.7, 0.2, 0.1]]}']);
    expect(await testing).toMatchObject({ status: 'disagrees' });
    expect(sent.length).toBeLessThanOrEqual(4);
  });

  it.each<[string, RunInput, Readonly<Record<string, string>>]>([
    ['were overwritten', { name: 'a.png', output: ANSWER, etag: 'other' }, { 'a.png': 'a' }],
    ['were deleted', { name: 'a.png', output: ANSWER }, {}],
    ['had no prediction', { name: 'a.png', error: 'model-error' }, { 'a.png': 'a.png' }],
    ['have more than 4 MB', { name: 'a.png', output: ANSWER, size: 4 * 2 ** 20 + 1 }, { 'a.png': 'a.png' }],
  ])('that %s are not sent, and nothing else is a reason to serve', async (_, input, bodies) => {
    const { testing, sent } = await images([input], [ANSWER], { bodies });
    expect(await testing).toEqual({
      status: 'disagrees',
      tested: 0,
      reason: expect.stringMatching(/^none of the run's inputs .* inferdrop rerun shapes\/monday\/000001/),
    });
    expect(sent).toEqual([]);
  });

  it('of exactly 4 MB are sent; an output that has expired is nothing to compare with', async () => {
    const inputs = ['a.png', 'b.png'].map((name) => ({ name, output: ANSWER, size: 4 * 2 ** 20 }));
    const { testing, sent, store } = await images(inputs, [ANSWER]);
    await store.delete(`runs/${RUN}/predictions/b.png.out`);
    expect(await testing).toMatchObject({ status: 'agrees', tested: 1 });
    expect(sent).toEqual(['a.png']);
  });

  it('that SageMaker cuts into other than lines cannot be compared', async () => {
    const transform = { ...planWith().transform, splitType: 'RecordIO' as const };
    const { testing, sent } = await images([{ name: 'a.rec', output: ANSWER }], [ANSWER], {
      plan: { transform },
    });
    expect(await testing).toEqual({
      status: 'disagrees',
      tested: 0,
      reason: 'inputs cut as RecordIO cannot be sent one by one to compare the answers',
    });
    expect(sent).toEqual([]);
  });

  it('of a run whose files are gone cannot be compared', async () => {
    const { store } = reconciledRun([{ name: 'a.png', output: ANSWER }]);
    await store.delete(`runs/${RUN}/reconciled.jsonl`);
    const request = { run: runKeys(), endpointName: 'e', proof: 'needed' as const };
    const services = { store, runtime: {} as never, pause: async () => {} };
    await expect(testEndpoint(request, services)).rejects.toMatchObject({ name: 'RunFileMissing' });
  });
});
