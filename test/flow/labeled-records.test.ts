import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CLASSES,
  FIRST,
  rowNetwork,
  SECOND,
} from '../../packages/model-container/test/support/row-network.ts';
import type { FinishedRun } from '../../src/cli/runs/finish-run.ts';
import { toRun } from '../../src/cli/runs/run-result.ts';
import { readRows } from '../../src/report/table/read-rows.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { askApi } from '../support/ask-api.ts';
import { type Laptop, startLaptop } from '../support/laptop.ts';

/** Answers CSV with CSV, a row for a row. */
const HANDLER = `
import json

def input_handler(data, context):
    assert context.request_content_type == "text/csv", context.request_content_type
    rows = [line.split(",") for line in data.read().decode("utf-8").splitlines() if line]
    return json.dumps({"instances": [[float(cell) for cell in row] for row in rows]})

def output_handler(response, context):
    if response.status_code != 200:
        raise ValueError(response.content.decode("utf-8"))
    rows = json.loads(response.content)["predictions"]
    return "\\n".join(",".join(repr(score) for score in row) for row in rows), context.accept_header
`;
import { servedJson } from '../../src/app/records/endpoint.ts';

/** Keys that fail once. */
const poisoned = new Set<string>();

let laptop: Laptop;
beforeAll(async () => {
  laptop = await startLaptop({ object: (key) => (poisoned.delete(key) ? 'poison' : undefined) });
  await givePipeline('table', { 'code/inference.py': HANDLER }, (config) => {
    config.transform = {
      ...config.transform,
      ...form('text/csv'),
      batchStrategy: 'MultiRecord',
      inputFilter: '$[1:]',
    };
    config.labels = { classes: CLASSES, truth: { from: 'record', path: '$[0]' } };
  });
  await givePipeline('lines', {}, (config) => {
    config.transform = {
      ...config.transform,
      ...form('application/jsonlines'),
      bundle: 'never',
      inputFilter: '$.features',
    };
    config.labels = { classes: CLASSES, truth: { from: 'record', path: '$.label' } };
  });
});
afterAll(() => laptop.close());

const form = (type: string) => ({
  contentType: type,
  accept: type,
  splitType: 'Line',
  assembleWith: 'Line',
});

async function givePipeline(
  name: string,
  files: Readonly<Record<string, string>>,
  change: (config: any) => void,
): Promise<void> {
  await laptop.givePipeline(name, (config) => {
    config.report = { topK: [1, 2], baseline: 'last-passed' };
    config.gate = { minAccuracy: 0.5, minInputs: 1, minLabeled: null, confidence: null };
    config.endpoint = { deploy: 'when-gate-passes', ttlHours: 1 };
    change(config);
  });
  await laptop.application.store.write(bucketLayout.pipelineModel(name), await rowNetwork(files));
}

interface Outcome extends FinishedRun {
  readonly rows: readonly (readonly unknown[])[];
  readonly errors: readonly string[];
}

async function drop(run: string, files: Readonly<Record<string, string>>): Promise<Outcome> {
  const parts = toRun(run);
  const { store } = laptop.application;
  await laptop.upload(parts.pipeline, parts.drop, files);
  const finished = await laptop.await(run);
  const parquet = await store.readBytes(bucketLayout.rows(parts, 0));
  const rows = parquet === undefined ? [] : (await Array.fromAsync(readRows(parquet))).flat();
  const prefix = bucketLayout.dropFolder(parts);
  const { errors } = await laptop.outcome(run);
  return {
    ...finished,
    rows: rows.map((row) => [
      `${row.key.replace(prefix, '')}/${row.record_index}`,
      row.truth,
      row.prediction,
      row.correct,
      row.error,
    ]),
    errors,
  };
}

/** What the prediction API says to a body, once the pipeline's endpoint serves. */
async function ask(pipeline: string, type: string, body: string): Promise<[number, any]> {
  const { store, apiUrl } = laptop.application;
  await laptop.until(async () =>
    (await servedJson(pipeline).read(store))?.status === 'in-service' ? true : undefined,
  );
  const url = new URL(`${apiUrl}/predict/${pipeline}`);
  const response = await askApi({
    method: 'POST',
    url,
    headers: { 'content-type': type },
    body: Buffer.from(body),
  });
  return [response.status, await response.json()];
}

describe('CSV rows that begin with their label', () => {
  const files = {
    'more.csv': `d,${FIRST.join(',')}\n`,
    'rows.csv': [
      ['d', ...FIRST],
      ['c', ...SECOND],
      ['a', ...FIRST],
      ['d', ...FIRST],
      ['c', ...SECOND],
      ['', ...SECOND],
    ]
      .map((row) => `${row.join(',')}\n`)
      .join(''),
  };
  let outcome: Outcome;
  beforeAll(async () => {
    outcome = await drop('table/monday/000001', files);
  });

  it('are judged by it, record by record, without a labels file', () => {
    const { report, rows, errors } = outcome;
    expect(report).toMatchObject({
      status: 'completed',
      records: 7,
      correct: 5,
      accuracy: 5 / 6,
    });
    expect(report.quality!.topK[1]).toMatchObject({ k: 2, accuracy: 5 / 6 });
    expect(rows).toEqual([
      ['more.csv/0', 'd', 'd', true, null],
      ['rows.csv/0', 'd', 'd', true, null],
      ['rows.csv/1', 'c', 'c', true, null],
      ['rows.csv/2', 'a', 'd', false, null],
      ['rows.csv/3', 'd', 'd', true, null],
      ['rows.csv/4', 'c', 'c', true, null],
      ['rows.csv/5', null, 'c', null, null],
    ]);
    expect(errors).toEqual([]);
  });

  it('are named in the receipt', async () => {
    const text = await laptop.application.store.readText(bucketLayout.receipt(toRun('table/monday/000001')));
    const receipt = JSON.parse(text!);
    expect(receipt.plan.transform).toMatchObject({ splitType: 'Line', inputFilter: '$[1:]' });
    expect(outcome.report.setup!.transform).toMatchObject({ inputFilter: '$[1:]' });
  });

  it('serve behind an endpoint that gets them without their label', async () => {
    const [status, answer] = await ask('table', 'text/csv', `${FIRST.join(',')}\n${SECOND.join(',')}`);
    expect([status, answer.run]).toEqual([200, 'table/monday/000001']);
    expect(answer.predictions.map(({ label }: any) => label)).toEqual(['d', 'c']);
    const [refused] = await ask('table', 'text/csv', files['more.csv']);
    expect(refused).toBe(424);
  });

  it('are paired with those of the run before, row by row', async () => {
    const { report } = await drop('table/tuesday/000001', files);
    expect(report.comparison).toMatchObject({ baseline: 'table/monday/000001', answered: 7, identical: 7 });
  });
});

describe('JSON Lines with a field for the label', () => {
  const line = (label: unknown, features: unknown) => `${JSON.stringify({ id: 'x', label, features })}\n`;

  it('are judged by it, and the endpoint gets what the filter leads to', async () => {
    const { report, rows, errors } = await drop('lines/monday/000001', {
      'a.jsonl': line('d', FIRST) + line('b', SECOND) + line('d', FIRST) + line(undefined, SECOND),
      // A record that the model refuses, and one that is none, cost themselves.
      'b.jsonl': line('d', FIRST) + line('c', [1, 2]) + '{"label":"d","features":[1,2\n',
    });
    expect(report).toMatchObject({ total: 7, records: 5, errors: 2, correct: 3, accuracy: 3 / 4 });
    expect(rows).toEqual([
      ['a.jsonl/0', 'd', 'd', true, null],
      ['a.jsonl/1', 'b', 'c', false, null],
      ['a.jsonl/2', 'd', 'd', true, null],
      ['a.jsonl/3', null, 'c', null, null],
      ['b.jsonl/0', 'd', 'd', true, null],
      ['b.jsonl/1', 'c', null, null, 'model-error'],
      ['b.jsonl/2', null, null, null, 'unreadable'],
    ]);
    expect(errors).toHaveLength(2);
    await drop('lines/whole/000001', { 'a.jsonl': line('d', FIRST) + line('c', SECOND) });
    const [status, answer] = await ask('lines', 'application/jsonlines', JSON.stringify(SECOND));
    expect([status, answer.predictions[0].label]).toEqual([200, 'c']);
  });

  it('lie elsewhere, are named by a manifest, and go again where they failed', async () => {
    const { store } = laptop.application;
    const rows = { 'shelf/a.jsonl': line('d', FIRST), 'shelf/deep/b.jsonl': line('c', SECOND) };
    for (const [name, body] of Object.entries(rows)) await store.write(`shared/${name}`, body);
    await store.write(
      'shared/shelf.manifest',
      JSON.stringify([{ prefix: `s3://${store.bucket}/shared/` }, ...Object.keys(rows)]),
    );
    const run = 'lines/shelf/000001';
    // Both records lie in one object.
    poisoned.add(bucketLayout.bundle(toRun(run), 'parts/1', 0));
    const { report, rows: judged } = await drop(run, {
      'job.json': JSON.stringify({ input: { manifest: `s3://${store.bucket}/shared/shelf.manifest` } }),
    });
    expect(report).toMatchObject({ status: 'completed', records: 2, correct: 2 });
    expect(judged).toEqual([
      [expect.stringContaining('a.jsonl/0'), 'd', 'd', true, null],
      [expect.stringContaining('b.jsonl/0'), 'c', 'c', true, null],
    ]);
    const { jobs } = await laptop.outcome(run);
    expect(jobs.map(({ kind, objects }) => [kind, objects])).toEqual([
      ['part', 2],
      ['retry', 2],
    ]);
  });

  it('are refused before anything is paid for where the label has another name', async () => {
    const { success, report } = await drop('lines/tuesday/000001', {
      'a.jsonl': '{"Label": 1, "features": [1]}\n',
    });
    expect(success).toBe(false);
    expect(report).toMatchObject({ status: 'refused' });
    expect(JSON.stringify(report)).toContain('finds no label for any of 1 record;');
  });
});
