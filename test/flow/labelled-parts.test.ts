import { DescribeTransformJobCommand, SageMakerClient } from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CLASSES,
  FIRST,
  type Row,
  rowNetwork,
  SECOND,
} from '../../packages/model-container/test/support/row-network.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { toRun } from '../../src/cli/runs/run-result.ts';
import { readRows } from '../../src/report/table/read-rows.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import type { JobRecord } from '../../src/transform/job-record.ts';
import { aDrop } from '../support/a-run.ts';
import { type Laptop, startLaptop } from '../support/laptop.ts';
import { deployShortJobs } from '../support/short-jobs.ts';
import { silentTerminal } from '../support/silent-terminal.ts';

/** A row of which the second version of the model is of another mind. */
const DOUBTFUL: Row = [0.25, ...FIRST.slice(1)];

/** Answers CSV with CSV and JSON Lines as the container does without it; takes some rows for others, by their first number. */
const handler = (takenForAnother: Readonly<Record<number, Row>> = {}): string => `
import json

TAKEN = {float(first): row for first, row in json.loads('${JSON.stringify(takenForAnother)}').items()}

def rows_of(text, content_type):
    if content_type == "text/csv":
        return [[float(cell) for cell in line.split(",")] for line in text.splitlines() if line]
    record = json.loads(text)
    return record["instances"] if isinstance(record, dict) else [record]

def input_handler(data, context):
    rows = rows_of(data.read().decode("utf-8"), context.request_content_type)
    return json.dumps({"instances": [TAKEN.get(row[0], row) for row in rows]})

def output_handler(response, context):
    if response.status_code != 200:
        raise ValueError(response.content.decode("utf-8"))
    if context.accept_header != "text/csv":
        return response.content, context.accept_header
    rows = json.loads(response.content)["predictions"]
    return "\\n".join(",".join(repr(score) for score in row) for row in rows), context.accept_header
`;

const csv = (...rows: readonly (readonly unknown[])[]): string =>
  rows.map((row) => `${row.join(',')}\n`).join('');
const line = (label: unknown, features: unknown): string =>
  `${JSON.stringify({ id: 'x', label, features })}\n`;

/** Records of one form, in files that make several jobs of two; the second job has those that are not right. */
const FORMS = [
  {
    pipeline: 'table',
    transform: { contentType: 'text/csv', batchStrategy: 'MultiRecord', inputFilter: '$[1,2,3,4,5,6]' },
    path: '$[0]',
    code: { 'code/inference.py': handler() },
    files: {
      'a.csv': csv(['d', ...FIRST], ['c', ...SECOND]),
      'b.csv': csv(['a', ...FIRST], ['d', ...FIRST]),
      // A record without a label, one with a cell too many, and the doubtful one behind them.
      'c.csv': csv(['c', ...SECOND], ['', ...SECOND], ['d', ...FIRST, 7], ['d', ...DOUBTFUL]),
      'd.csv': csv(['c', ...SECOND]),
    },
    jobs: [
      ['part', 1, ['a.csv', 'b.csv'], 'Completed'],
      ['part', 2, ['c.csv', 'd.csv'], 'Completed'],
    ],
    rows: [
      ['a.csv', 0, 'd', 'd', null],
      ['a.csv', 1, 'c', 'c', null],
      ['b.csv', 0, 'a', 'd', null],
      ['b.csv', 1, 'd', 'd', null],
      ['c.csv', 0, 'c', 'c', null],
      ['c.csv', 1, null, 'c', 'truth-missing'],
      ['c.csv', 2, null, null, 'ambiguous-output'],
      ['c.csv', 3, 'd', 'd', null],
      ['d.csv', 0, 'c', 'c', null],
    ],
    errors: [
      ['c.csv', '1', 'truth-missing'],
      ['c.csv', '2', 'ambiguous-output'],
    ],
    figures: { total: 4, records: 7, correct: 6, errors: 2 },
    gate: { verdict: 'passed' },
    doubtful: ['c.csv', 3],
    /** Records with a prediction, those without a label among them. */
    predicted: 8,
  },
  {
    pipeline: 'lines',
    transform: { contentType: 'application/jsonlines', inputFilter: '$.features' },
    path: '$.label',
    code: {},
    files: {
      'a.jsonl': line('d', FIRST) + line('b', SECOND),
      // A record without a label, one that the model answers twice, and the doubtful one behind them.
      'b.jsonl':
        line('c', SECOND) +
        line(undefined, SECOND) +
        line('d', { instances: [FIRST, SECOND] }) +
        line('d', DOUBTFUL),
      // SageMaker stores nothing of a file with a record that it cannot read, and names no record.
      'c.jsonl': `${line('d', FIRST)}{"label":"d","features":[1,2\n`,
      'd.jsonl': line('d', FIRST),
      'e.jsonl': line('c', SECOND),
    },
    jobs: [
      ['part', 1, ['a.jsonl'], 'Completed'],
      ['part', 2, ['b.jsonl', 'c.jsonl'], 'Failed'],
      ['part', 3, ['d.jsonl', 'e.jsonl'], 'Completed'],
      ['retry', 3, ['c.jsonl'], 'Failed'],
    ],
    rows: [
      ['a.jsonl', 0, 'd', 'd', null],
      ['a.jsonl', 1, 'b', 'c', null],
      ['b.jsonl', 0, 'c', 'c', null],
      ['b.jsonl', 1, null, 'c', 'truth-missing'],
      ['b.jsonl', 2, 'd', null, 'wrong-record-count'],
      ['b.jsonl', 3, 'd', 'd', null],
      ['c.jsonl', 0, null, null, 'model-error'],
      ['d.jsonl', 0, 'd', 'd', null],
      ['e.jsonl', 0, 'c', 'c', null],
    ],
    errors: [
      ['b.jsonl', '1', 'truth-missing'],
      ['b.jsonl', '2', 'wrong-record-count'],
      ['c.jsonl', '', 'model-error'],
    ],
    figures: { total: 5, records: 6, correct: 5, errors: 3 },
    // Nobody knows how many records the lost file has.
    gate: { verdict: 'none', explanation: expect.stringContaining('the records of 1 lost file') },
    doubtful: ['b.jsonl', 3],
    predicted: 7,
  },
] as const;
type Form = (typeof FORMS)[number];

let laptop: Laptop;
/** What each pipeline's runs left: the first, the one with another model, and the first once more. */
const stories = new Map<string, Awaited<ReturnType<typeof live>>>();

beforeAll(async () => {
  laptop = await startLaptop();
  await deployShortJobs(laptop, 2);
  await Promise.all(FORMS.map(async (form) => stories.set(form.pipeline, await live(form))));
});
afterAll(() => laptop.close());

/** One drop, the same files with a model that is of another mind, and the first run once more, whatever pipeline.json says by then. */
async function live(form: Form) {
  const { pipeline, transform, path, files } = form;
  const comparedWith = (baseline: string | null) =>
    laptop.givePipeline(pipeline, (config) => {
      const type = transform.contentType;
      const lines = { accept: type, splitType: 'Line', assembleWith: 'Line' };
      config.transform = { ...config.transform, ...transform, ...lines };
      config.labels = { classes: CLASSES, truth: { from: 'record', path } };
      config.report = { baseline };
      config.gate = { minAccuracy: 0.5 };
    });
  await comparedWith(null);
  await giveModel(pipeline, form.code);
  const first = await drop(pipeline, 'monday', files);

  await comparedWith(first.run);
  await giveModel(pipeline, { 'code/inference.py': handler({ [DOUBTFUL[0]!]: SECOND }) });
  const second = await drop(pipeline, 'tuesday', files);

  await laptop.application.store.write(
    bucketLayout.pipelineConfig(pipeline),
    '{"transform": "broken since"}',
  );
  const terminal = silentTerminal();
  const code = await runCommandLine(['replay', first.run, '--wait', '--json'], terminal);
  const said = JSON.parse(terminal.lines.at(-1)!);
  return { first, second, replay: { code, said, ...(await outcome(said.run)) } };
}

async function giveModel(pipeline: string, files: Readonly<Record<string, string>>): Promise<void> {
  await laptop.application.store.write(bucketLayout.pipelineModel(pipeline), await rowNetwork(files));
}

async function drop(pipeline: string, name: string, files: Readonly<Record<string, string>>) {
  await laptop.upload(pipeline, name, files);
  return outcome(`${pipeline}/${name}/000001`);
}

/** All that a run left, names of files without the place that they lie at. */
async function outcome(run: string) {
  const { store } = laptop.application;
  const parts = toRun(run);
  const { report, errors, jobs } = await laptop.outcome(run);
  const parquet = await store.readBytes(bucketLayout.rows(parts, 0));
  const rows = (await Array.fromAsync(readRows(parquet!))).flat();
  return {
    run,
    report,
    jobs,
    rows: rows.map((row) => [nameOf(row.key), row.record_index, row.truth, row.prediction, row.error]),
    scores: rows.map(({ score, top_k }) => [score, top_k]),
    errors: errors.map((cells) => {
      const [key, recordIndex, reason] = cells.split(',');
      return [nameOf(key!), recordIndex, reason];
    }),
    flips: await store.readText(bucketLayout.flips(parts)),
  };
}

const nameOf = (key: string): string => key.split('/').at(-1)!;

/** Which files the run's jobs were for, and how they ended. */
const toldOf = (jobs: readonly JobRecord[]) =>
  Promise.all(
    jobs.map(async ({ kind, part, input, status }) => {
      const [, ...keys] = JSON.parse((await laptop.application.store.readText(input))!) as [
        object,
        ...string[],
      ];
      return [kind, part, keys.map(nameOf), status];
    }),
  );

/** What SageMaker was asked to do with the records of each job. */
const processingOf = (jobs: readonly JobRecord[]) => {
  const sagemaker = new SageMakerClient();
  const asked = jobs.map(async ({ jobName }) => {
    const job = await sagemaker.send(new DescribeTransformJobCommand({ TransformJobName: jobName }));
    return [job.DataProcessing, job.TransformInput!.SplitType, job.TransformOutput!.AssembleWith];
  });
  return Promise.all(asked);
};

describe.each(FORMS)('labelled records of a run in several jobs: $transform.contentType', (form) => {
  const story = () => stories.get(form.pipeline)!;

  it('each job joins its results with its records, and all make one report', async () => {
    const { report, jobs, rows } = story().first;
    expect(await toldOf(jobs)).toEqual(form.jobs);
    for (const asked of await processingOf(jobs)) expect(asked).toEqual(joined(form));
    const { records, correct } = form.figures;
    expect(report).toMatchObject({
      status: 'completed-with-errors',
      ...form.figures,
      accuracy: correct / records,
      gate: form.gate,
    });
    expect(rows).toEqual(form.rows);
  });

  it('a record that is not right, in a later job, is named with its place and costs itself', () => {
    const { report, errors } = story().first;
    expect(errors).toEqual(form.errors);
    const prefix = bucketLayout.dropFolder(aDrop(`${form.pipeline}/monday`));
    expect(report.failures.map(({ key, recordIndex, reason }) => [key, recordIndex, reason])).toEqual(
      form.errors.map(([file, index, reason]) => [
        prefix + file,
        index === '' ? null : Number(index),
        reason,
      ]),
    );
  });

  it('another model is compared record by record, and the one that it sees otherwise is named', async () => {
    const { report, jobs, flips, errors } = story().second;
    const [file, recordIndex] = form.doubtful;
    const key = bucketLayout.dropFolder(aDrop(`${form.pipeline}/tuesday`)) + file;
    expect(await toldOf(jobs)).toEqual(form.jobs);
    expect(report.comparison).toMatchObject({
      baseline: story().first.run,
      replay: false,
      inputs: { paired: form.figures.total, changed: 0, added: 0, missing: 0 },
      answered: form.predicted,
      identical: form.predicted - 1,
      sameClass: form.predicted - 1,
      onlyNow: 0,
      onlyBefore: 0,
      lost: 1,
      gained: 0,
      bothRight: form.figures.correct - 1,
      accuracy: { records: form.figures.records },
      flips: [{ key, recordIndex, truth: 'd', before: 'd', now: 'c' }],
    });
    const [, flip, ...more] = flips!.trimEnd().split('\r\n');
    expect(flip).toMatch(`${key},${recordIndex},lost,d,d,c,`);
    expect(more).toEqual([]);
    expect(errors).toEqual(form.errors);
  });

  it('a replay asks for the same of the same jobs, and has every row again', async () => {
    const { first, replay } = story();
    expect([replay.code, replay.said]).toEqual([
      0,
      {
        run: `${first.run}r2`,
        of: first.run,
        status: 'completed-with-errors',
        same: true,
        rows: {
          answered: form.predicted,
          identical: form.predicted,
          sameClass: form.predicted,
          scoreDistance: 0,
          onlyNow: 0,
          onlyBefore: 0,
        },
      },
    ]);
    expect(await toldOf(replay.jobs)).toEqual(form.jobs);
    for (const asked of await processingOf(replay.jobs)) expect(asked).toEqual(joined(form));
    expect(replay.report).toMatchObject({ ...form.figures, comparison: { replay: true } });
    expect(replay.rows).toEqual(form.rows);
    expect(replay.scores).toEqual(first.scores);
    expect(replay.errors).toEqual(form.errors);
  });
});

const joined = ({ transform }: Form) => [
  { InputFilter: transform.inputFilter, JoinSource: 'Input', OutputFilter: '$' },
  'Line',
  'Line',
];
