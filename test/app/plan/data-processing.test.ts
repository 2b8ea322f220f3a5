import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { Plan } from '../../../src/plan/plan.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { aDrop } from '../../support/a-run.ts';
import { start } from '../../support/drive-transform.ts';
import { frozenDrop, NOW, PARTS, PIPELINE, SERVABLE, SETTINGS } from '../../support/drop-fixture.ts';
import { memorySageMaker } from '../../support/memory-sagemaker.ts';
import { withProblemLines } from '../../support/problem-lines.ts';

const PREFIX = bucketLayout.dropFolder(aDrop('shapes/monday'));
const CSV = { contentType: 'text/csv', accept: 'text/csv', splitType: 'Line', assembleWith: 'Line' };
const LINES = { ...CSV, contentType: 'application/jsonlines', accept: 'application/jsonlines' };
const WHOLE = { contentType: 'application/json', accept: 'application/json' };

interface Case {
  readonly transform?: object;
  readonly truth?: object | null;
  readonly job?: object;
  /** Bodies by name. */
  readonly files?: Readonly<Record<string, string>>;
  readonly archive?: Readonly<Record<string, string | Buffer>>;
}

async function dropOf({
  transform = CSV,
  truth = { from: 'record', path: '$[0]' },
  job,
  files = { 'a.csv': 'circle,1.5,2\nsquare,3,4\n' },
  archive = SERVABLE,
}: Case) {
  const pipeline = { ...PIPELINE, transform, labels: { ...PIPELINE.labels, truth, numbers: 'index' } };
  const sizes = Object.fromEntries(Object.entries(files).map(([name, body]) => [name, body.length]));
  const store = await frozenDrop({ pipeline, job, files: sizes, archive: await modelArchive(archive) });
  for (const [name, body] of Object.entries(files)) store.put(PREFIX + name, body);
  return store;
}

async function planned(drop: Case): Promise<{ plan: Plan; spec: unknown }> {
  const store = await dropOf(drop);
  await planRun({ run: PARTS }, { store, clock: () => NOW, settings: SETTINGS });
  const sagemaker = memorySageMaker({ clock: () => NOW });
  const { jobName } = await start({ store, sagemaker });
  const { dataProcessing } = sagemaker.jobs.get(jobName)!.spec;
  return { plan: Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!)), spec: dataProcessing };
}

async function refusal(drop: Case): Promise<readonly string[]> {
  const store = await dropOf(drop);
  const planning = planRun({ run: PARTS }, { store, clock: () => NOW, settings: SETTINGS });
  const error: Error = await withProblemLines(planning).then(
    () => new Error('was planned'),
    (thrown: Error) => thrown,
  );
  return error.message.split('\n');
}

describe('a job is asked to filter and join', () => {
  test.each<[string, Case, Plan['transform']['dataProcessing']]>([
    ['nothing, unless that is asked for', { transform: CSV, truth: null }, null],
    ['nothing, where labels come from elsewhere', { transform: CSV, truth: { from: 'folder' } }, null],
    ['CSV rows', {}, { inputFilter: '$', joinSource: 'Input', inputColumns: 3 }],
    [
      'CSV rows without their label, the last cell, some quoted',
      {
        transform: { ...CSV, inputFilter: '$[0,1]' },
        truth: { from: 'record', path: '$[-1]' },
        files: { 'a.csv': '1,"2,5",circle\n', 'b.csv': '3,"4",square', 'c.csv': '1,2,oval' },
      },
      { inputFilter: '$[0,1]', joinSource: 'Input', inputColumns: 3 },
    ],
    [
      'JSON Lines',
      {
        transform: { ...LINES, inputFilter: '$.features' },
        truth: { from: 'record', path: '$.is.label' },
        files: { 'a.jsonl': '{"features": [1], "is": {"label": 1}}\n{}\n' },
      },
      { inputFilter: '$.features', joinSource: 'Input', inputColumns: 0 },
    ],
    [
      'a JSON document an object',
      {
        transform: WHOLE,
        truth: { from: 'record', path: '$.label' },
        files: { 'a.json': '{\n "label": "circle"\n}' },
      },
      { inputFilter: '$', joinSource: 'Input', inputColumns: 0 },
    ],
    [
      'nothing but to filter',
      { transform: { ...CSV, inputFilter: '$[1:]' }, truth: { from: 'folder' } },
      { inputFilter: '$[1:]', joinSource: 'None', inputColumns: 3 },
    ],
  ])('%s', async (_, drop, expected) => {
    const { plan, spec } = await planned(drop);
    expect(plan.transform.dataProcessing).toEqual(expected);
    const { inputColumns: _columns, ...asked } = expected ?? { inputColumns: 0 };
    expect(spec).toEqual(expected === null ? undefined : asked);
  });

  test.each<[string, string | undefined, string, boolean]>([
    ['the whole row', undefined, '$[0]', true],
    ['its first cells', '$[0,1]', '$[0]', true],
    ['its other cells', '$[1:]', '$[0]', false],
    ['its last cell', '$[-1]', '$[2]', true],
    ['all but its last cell', '$[0,1]', '$[-1]', false],
  ])('%s: the plan says whether the model gets the label', async (_, inputFilter, path, isTold) => {
    const { plan } = await planned({
      transform: { ...CSV, ...(inputFilter !== undefined && { inputFilter }) },
      truth: { from: 'record', path },
    });
    expect(plan.notes.some((note) => note.includes('the model gets the label'))).toBe(isTold);
  });

  test('as the drop says', async () => {
    const { plan } = await planned({
      truth: null,
      job: { transform: { inputFilter: '$[1:]' }, labels: { truth: { from: 'record', path: '$[0]' } } },
    });
    expect(plan.transform.dataProcessing).toMatchObject({ inputFilter: '$[1:]', joinSource: 'Input' });
  });

  test('whatever a single record lacks', async () => {
    const files = {
      'a.jsonl': '{"x": 1}\n{"label": null}\n',
      'b.jsonl': 'broken\n',
      'c.jsonl': '\n',
      'd.jsonl': '{}\n\n{"label": 0}',
    };
    const { plan } = await planned({ transform: LINES, truth: { from: 'record', path: '$.label' }, files });
    expect(plan.transform.dataProcessing).toMatchObject({ joinSource: 'Input' });
  });
});

describe('refused before anything is paid for:', () => {
  const json = (files: Readonly<Record<string, string>>): Case => ({
    transform: LINES,
    truth: { from: 'record', path: '$.label' },
    files,
  });
  test.each<[string, Case, readonly RegExp[]]>([
    [
      'images',
      { transform: {}, files: { 'a.png': 'x' } },
      [
        /^pipeline.json: transform.contentType must be one of text\/csv, .* with labels.truth.from "record", is "application\/x-image": .*labels.csv/,
      ],
    ],
    [
      'images with a filter',
      { transform: { inputFilter: '$[0]' }, truth: null, files: { 'a.png': 'x' } },
      [/transform.contentType must be one of .* with transform.inputFilter, is/],
    ],
    [
      'a type with a parameter',
      { transform: { ...CSV, contentType: 'text/csv; charset=utf-8', accept: 'text/csv; charset=utf-8' } },
      [/transform.contentType must be one of/],
    ],
    [
      'answers in another form',
      { transform: { ...CSV, accept: 'application/json' } },
      [
        /transform.accept must be the same as transform.contentType "text\/csv" with .*, is "application\/json"/,
      ],
    ],
    [
      'rows that are not cut, and answers in another form, at once',
      { transform: { contentType: 'text/csv' } },
      [/transform.accept must be the same/, /transform.splitType must be "Line" for text\/csv .*, is "None"/],
    ],
    [
      'answers put together otherwise',
      { transform: { ...CSV, assembleWith: 'None' } },
      [/transform.assembleWith must be the same as transform.splitType "Line" .*, is "None"/],
    ],
    [
      'no path',
      { truth: { from: 'record', path: 'label' } },
      [/^pipeline.json: labels.truth.path must start with \$.*, is "label"$/],
    ],
    [
      'no path in the drop',
      { truth: null, job: { labels: { truth: { from: 'record', path: '$[' } } } },
      [/^job.json: labels.truth.path must go on with/],
    ],
    ['a path to the whole record', { truth: { from: 'record', path: '$' } }, [/must lead to one value/]],
    ['a path to several values', { truth: { from: 'record', path: '$[0,1]' } }, [/must lead to one value/]],
    [
      'a name in CSV',
      { truth: { from: 'record', path: '$.label' } },
      [/must be the place of a cell .* such as \$\[0\]/],
    ],
    [
      'a path to what SageMaker adds',
      { ...json({ 'a.jsonl': '{}' }), truth: { from: 'record', path: '$.SageMakerOutput.label' } },
      [/must lead to a field of the record itself/],
    ],
    [
      'a filter with an end',
      { transform: { ...CSV, inputFilter: '$[1:2]' } },
      [/^pipeline.json: transform.inputFilter must have no slice with an end: .*, is "\$\[1:2\]"$/],
    ],
    [
      'a filter of more than 63 characters',
      { transform: { ...CSV, inputFilter: `$[${'1,'.repeat(40)}1]` } },
      [/transform.inputFilter must be .*63/],
    ],
    [
      'a filter out of range',
      { transform: { ...CSV, inputFilter: '$[3:]' }, files: { 'a.csv': '1,2,3\n', 'b.csv': '4,5,6\n' } },
      [
        /transform.inputFilter leads nowhere in the 2 records looked at, at the beginning of incoming\/shapes\/monday\/a.csv and others$/,
      ],
    ],
    [
      'a label out of range',
      { truth: { from: 'record', path: '$[3]' } },
      [
        /^pipeline.json: labels.truth.path leads to no class name or index in the 2 records looked at, at the beginning of incoming\/shapes\/monday\/a.csv$/,
      ],
    ],
    [
      'a label of another name',
      json({ 'a.jsonl': '{"Label": 1}' }),
      [/labels.truth.path leads to no class name or index/],
    ],
    [
      'a label that is a list',
      json({ 'a.jsonl': '{"label": [1]}' }),
      [/labels.truth.path leads to no class name or index/],
    ],
    [
      'rows of different lengths',
      { files: { 'a.csv': '1,2,3\n', 'b.csv': '4,5,6,7\n' } },
      [
        /^incoming\/shapes\/monday\/b.csv begins with a row of 4 cells, incoming\/shapes\/monday\/a.csv with one of 3/,
      ],
    ],
    [
      'a header',
      { files: { 'a.csv': 'Label,x,y\ncircle,1,2\n' } },
      [
        /^incoming\/shapes\/monday\/a.csv begins with a header \("Label" where the label belongs\).*remove it$/,
      ],
    ],
    [
      'a field that would be overwritten',
      json({ 'a.jsonl': '{"label": 1, "SageMakerOutput": 2}' }),
      [/a.jsonl has records with a field SageMakerOutput, .*: rename it$/],
    ],
    [
      'what is no JSON',
      json({ 'a.jsonl': 'label\n' }),
      [/a.jsonl does not begin with a record of application\/jsonlines: "label"/],
    ],
    [
      'rows that cannot be seen',
      { files: { 'a.csv': '\n\n' } },
      [/^drop has no input whose first row could be read/],
    ],
    [
      'CSV that TensorFlow Serving answers with JSON',
      { archive: { '1/saved_model.pb': '' } },
      [/has no code\/inference.py, .*cannot be joined with CSV rows: add a handler .*, or send JSON Lines/],
    ],
    [
      'several records in one answer',
      {
        ...json({ 'a.jsonl': '{"label": 1}' }),
        transform: { ...LINES, batchStrategy: 'MultiRecord' },
        archive: { '1/saved_model.pb': '' },
      },
      [/set transform.batchStrategy to "SingleRecord"/],
    ],
  ])('%s', async (_, drop, messages) => {
    const reported = await refusal(drop);
    expect(reported).toEqual(messages.map((message) => expect.stringMatching(message)));
  });

  test('a label that is called as its column is, where it is a class', async () => {
    const job = { labels: { classes: ['label', 'other'] } };
    await expect(planned({ job, files: { 'a.csv': 'label,1,2\n' } })).resolves.toBeDefined();
  });
});

test('of many inputs a few are checked, and of these the first rows only', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`${String(index).padStart(3, '0')}.csv`, 'circle,1,2\n']),
  );
  const store = await dropOf({ files });
  await planRun({ run: PARTS }, { store, clock: () => NOW, settings: SETTINGS });
  const read = store.requests.filter(({ operation, key }) => operation === 'GET' && key.endsWith('.csv'));
  // All of them are looked at for their kinds, and checked for their labels before.
  expect(read.slice(200).map(({ key }) => Number(key.slice(-7, -4)))).toEqual([0, 1, 3, 7, 15, 31, 63]);
});

describe('what the model could not read is refused before the run costs', () => {
  const HEADED = { 'a.csv': 'width,height\n1.5,2\n' };
  const ROWS = { contentType: 'text/csv', splitType: 'Line' };

  test('a header, where SageMaker sends each row alone', async () => {
    expect(await refusal({ transform: ROWS, truth: null, files: HEADED })).toEqual([
      expect.stringMatching(
        /monday\/a\.csv begins with a header \(width, height\), .*: remove the first row, or drop the folder with inferdrop drop --without-header$/,
      ),
    ]);
  });

  test.each([{ batchStrategy: 'MultiRecord' }, { splitType: 'None' }])(
    'a header is noted where a handler may skip it: %j',
    async (change) => {
      const { plan } = await planned({ transform: { ...ROWS, ...change }, truth: null, files: HEADED });
      expect(plan.notes).toContainEqual(
        expect.stringMatching(/begins with a header \(width, height\): unless code\/inference\.py skips it/),
      );
    },
  );

  test('records of another shape than the signature has', async () => {
    const model = new URL('../../fixtures/savedmodel/functions/saved_model.pb', import.meta.url);
    const drop = {
      ...{ transform: WHOLE, truth: null, archive: { '1/saved_model.pb': await readFile(model) } },
      files: { 'a.json': '{"instances": [[[[[1]]]]]}' },
    };
    expect(await refusal(drop)).toContainEqual(
      expect.stringMatching(/monday\/a\.json has records of shape \[1, 1, 1, 1\], and the model takes \[/),
    );
  });
});
