import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { modelArchive } from '../../packages/model-container/test/support/model-archive.ts';
import { FIRST, rowNetwork, SECOND } from '../../packages/model-container/test/support/row-network.ts';
import { servedJson } from '../../src/app/records/endpoint.ts';
import { toRun } from '../../src/cli/runs/run-result.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { askApi } from '../support/ask-api.ts';
import type { Laptop } from '../support/laptop.ts';
import { onSharedLaptop } from '../support/shared-laptop.ts';

/** A network from six numbers to four, which TensorFlow saved, and rows of numbers. */
const FIXTURES = path.resolve(import.meta.dirname, '..', '..', 'packages', 'savedmodel', 'test', 'fixtures');
const ROWS: readonly (readonly number[])[] = JSON.parse(
  readFileSync(path.join(FIXTURES, 'graphs.json'), 'utf8'),
).input;
const CLASSES = ['a', 'b', 'c', 'd'];
const RUN = 'numbers/monday/000001';

let laptop: Laptop;
/** What batch transform answered about each row, byte for byte. */
const batch: string[] = [];

onSharedLaptop(async (shared) => {
  laptop = shared;
  const { store } = laptop.application;
  await laptop.givePipeline('numbers', (config) => {
    config.transform = { ...config.transform, contentType: 'text/csv' };
    config.labels = { classes: CLASSES, truth: null };
    config.report = { topK: [1, 2] };
    config.gate = { maxErrorRate: 0, minInputs: 1, confidence: null };
    config.endpoint = { deploy: 'when-gate-passes', ttlHours: 1 };
  });
  const file = (name: string) => readFileSync(path.join(FIXTURES, 'inner_feed', name));
  await store.write(
    bucketLayout.pipelineModel('numbers'),
    await modelArchive({
      'numbers/1/saved_model.pb': file('saved_model.pb'),
      'numbers/1/variables/variables.index': file('variables/variables.index'),
      'numbers/1/variables/variables.data-00000-of-00001': file('variables/variables.data-00000-of-00001'),
    }),
  );
  const rows = ROWS.map((row, number) => [`row-${number}.csv`, row.join(',')] as const);
  await laptop.upload('numbers', 'monday', Object.fromEntries(rows));
  const { success } = await laptop.await(RUN);
  expect(success).toBe(true);
  await laptop.until(async () =>
    (await servedJson('numbers').read(store))?.status === 'in-service' ? true : undefined,
  );
  for (const [name] of rows) {
    const bytes = await store.readBytes(`${bucketLayout.predictions(toRun(RUN))}${name}.out`);
    batch.push(Buffer.from(bytes!).toString());
  }
});

const post = (type: string, body: string, query = '') =>
  askApi({
    method: 'POST',
    url: new URL(`${laptop.application.apiUrl}/predict/numbers${query}`),
    headers: { 'content-type': type },
    body: Buffer.from(body),
  });

/** Index and score of the best class, in batch's answer about a row. */
const best = (text: string) => {
  const [scores] = JSON.parse(text).predictions as number[][];
  const index = scores!.indexOf(Math.max(...scores!));
  return { label: CLASSES[index], index, score: scores![index] };
};

describe('real-time answers about numbers are those of batch transform', () => {
  it.each<[string, (rows: typeof ROWS) => string]>([
    ['text/csv', (rows) => rows.map((row) => row.join(',')).join('\n')],
    ['application/json', (rows) => JSON.stringify({ instances: rows })],
    ['application/json', (rows) => JSON.stringify(rows)],
    ['application/jsonlines', (rows) => rows.map((row) => JSON.stringify(row)).join('\n')],
  ])('sent as %s', async (type, encode) => {
    const response = await post(type, encode(ROWS));
    expect(response.status).toBe(200);
    const { predictions, run }: any = await response.json();
    expect(run).toBe(RUN);
    expect(predictions).toHaveLength(ROWS.length);
    for (const [number, prediction] of predictions.entries()) {
      expect(prediction).toMatchObject(best(batch[number]!));
      expect(prediction.topK).toHaveLength(2);
    }
  });

  it('byte for byte, where the container is asked about the same with raw=1', async () => {
    for (const [number, row] of ROWS.entries()) {
      const response = await post('text/csv', row.join(','), '?raw=1');
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await response.text()).toBe(batch[number]);
    }
  });
});

it.each([
  ['text/csv', '1,2,three,4,5,6'],
  ['application/json', '{"instances": [[1,'],
  ['application/json', '{"instances": [[1, 2]]}'],
  ['application/jsonlines', '[1, 2, 3, 4, 5'],
  ['image/png', 'no image'],
])('%s that the model cannot read is 424, in the words of the container: %s', async (type, body) => {
  const response = await post(type, body);
  const problem: any = await response.json();
  expect([response.status, problem.type]).toEqual([424, 'urn:inferdrop:problem:model-error']);
  expect(problem.detail).toMatch(/^the container answered [45]\d\d: \S/);
});

it.each([
  ['as a call of a function', 'calls', { engine: 'lambda' }, 1],
  ['in a bundle of records', 'grouped', { bundle: 'auto' }, 1],
  ['in an object of lines', 'lines', { bundle: 'never' }, 2],
])('a bad row of a table costs itself, sent %s', async (_way, name, way, jobs) => {
  const { store } = laptop.application;
  await laptop.givePipeline(name, (config) => {
    config.transform = { ...way, contentType: 'text/csv' };
    config.columns = { features: ['a', 'b', 'c', 'd', 'e', 'f'] };
    config.labels = { classes: CLASSES, truth: { from: 'column', column: 'kind' } };
    config.gate = { maxErrorRate: 0.05, minAccuracy: 0.9, confidence: null };
    config.endpoint = { deploy: 'never' };
  });
  await store.write(bucketLayout.pipelineModel(name), await rowNetwork());
  // Label last, id first, the features in another order, and what people's tables have.
  const rows = Array.from({ length: 100 }, (_, at) => {
    const [a, b, c, d, e, f] = at % 2 === 0 ? FIRST : SECOND;
    return `"no ${at},\n${at}";${[f, e, d, c, b, at === 40 ? 'x' : a].join(';')};${at % 2 === 0 ? 'd' : 'c'}`;
  });
  rows[30] = '30;1;2';
  rows[60] += '\r\n\r\n \r\n';
  const table = `\ufeffid;f;e;d;c;b;a;kind\r\n${rows.join('\r\n')}\r\n`;
  await laptop.upload(name, 'monday', { 'table.csv': Buffer.from(table) });

  const { report, success } = await laptop.await(`${name}/monday/000001`);

  expect(report).toMatchObject({ status: 'completed-with-errors', total: 100, errors: 2, correct: 98 });
  expect(success).toBe(true);
  expect(report.jobs).toHaveLength(jobs);
  const errors = await store.readText(bucketLayout.errors(toRun(`${name}/monday/000001`)));
  expect(errors).toContain('table.csv,30,');
  expect(errors).toContain('has 3 cells, and the first row has 8');
  expect(errors).toContain('table.csv,40,');
});
