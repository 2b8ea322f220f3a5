import {
  CloudWatchLogsClient,
  paginateDescribeLogGroups,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import { expect, it } from 'vitest';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { aDrop } from '../support/a-run.ts';
import type { Laptop } from '../support/laptop.ts';
import { onSharedLaptop } from '../support/shared-laptop.ts';
import { UNKNOWN_OPERATION, unsupportedModel } from '../support/unsupported-model.ts';

/** A drop that is refused before any request to SageMaker: what is wrong, and how the report names it. */
interface Refused {
  readonly pipeline: string;
  readonly config?: (config: any) => void;
  readonly job?: (bucket: string) => unknown;
  readonly after?: (laptop: Laptop) => Promise<unknown>;
  readonly problem: { readonly file: RegExp; readonly field: string; readonly value?: string };
  readonly message: RegExp;
}

const REFUSED: Readonly<Record<string, Refused>> = {
  'no classes': {
    pipeline: 'no-classes',
    config: (config) => delete config.labels.classes,
    problem: { file: /^pipeline\.json$/, field: 'labels.classes' },
    message: /labels\.classes/,
  },
  'a class list without a class': {
    pipeline: 'empty-classes',
    config: (config) => (config.labels.classes = []),
    problem: { file: /^pipeline\.json$/, field: 'labels.classes', value: '[]' },
    message: /labels\.classes must/,
  },
  'an unknown field': {
    pipeline: 'unknown-field',
    config: (config) => (config.transform.maxPayload = 6),
    problem: { file: /^pipeline\.json$/, field: 'transform.maxPayload', value: '6' },
    message: /maxPayloadInMB/,
  },
  'a model that is not there': {
    pipeline: 'no-model',
    after: ({ application }) => application.store.delete(bucketLayout.pipelineModel('no-model')),
    problem: { file: /^pipeline\.json$/, field: 'model.artifact' },
    message: /does not exist: upload it with aws s3 cp/,
  },
  'a model.tar.gz that is not an archive': {
    pipeline: 'fake-model',
    after: ({ application }) =>
      application.store.write(bucketLayout.pipelineModel('fake-model'), '<html>404</html>'),
    problem: { file: /pipelines\/fake-model\/model\.tar\.gz$/, field: '' },
    message: /gzip/,
  },
  'a job.json that sets the model': {
    pipeline: 'own-model',
    job: () => ({ model: { artifact: 's3://elsewhere/model.tar.gz' } }),
    problem: { file: /^job\.json$/, field: 'model' },
    message: /job\.json: model .*pipeline\.json/,
  },
  'a manifest that names a missing object': {
    pipeline: 'bad-manifest',
    after: ({ application }) =>
      application.store.write(
        'shared/shelf/list.manifest',
        JSON.stringify([{ prefix: `s3://${application.bucket}/shared/shelf/` }, 'a.png', 'gone.png']),
      ),
    job: (bucket) => ({ input: { manifest: `s3://${bucket}/shared/shelf/list.manifest` } }),
    problem: { file: /^job\.json$/, field: 'input.manifest' },
    message: /shelf\/gone\.png: upload (it|them)/,
  },
  'an input without a label in a strict pipeline': {
    pipeline: 'strict-labels',
    config: (config) => {
      config.labels = { ...config.labels, truth: { from: 'folder' }, strict: true };
      delete config.gate;
    },
    problem: { file: /^pipeline\.json$/, field: 'labels.strict', value: 'true' },
    message: /labels\.strict refuses the run: labels\.truth finds no label for any of 1 input, such as/,
  },
  'nothing but empty files': {
    pipeline: 'hollow',
    problem: { file: /^drop$/, field: '' },
    message: /1 empty.*Upload at least one file that is not empty/,
  },
};

let laptop: Laptop;
onSharedLaptop(async (shared) => {
  laptop = shared;
  await giveRefused();
  await giveStrange();
  await laptop.givePipeline('nine-classes', (config) => config.labels.classes.pop());
  await laptop.upload('nine-classes', 'd', await laptop.images(2));
  await laptop.givePipeline('unconverted', (config) => {
    config.transform.contentType = 'application/json';
    config.labels.truth = null;
    delete config.gate;
  });
  await laptop.application.store.write(bucketLayout.pipelineModel('unconverted'), await unsupportedModel());
  await laptop.upload('unconverted', 'd', { 'a.json': '{"x": [1]}' });
  await laptop.givePipeline('job-only');
  await laptop.upload('job-only', 'd', { 'job.json': '{}' });
  await laptop.upload('nowhere', 'd', await laptop.images(1));
});

async function giveRefused(): Promise<void> {
  const { store, bucket } = laptop.application;
  const images = await laptop.images(1);
  await store.write('shared/shelf/a.png', Object.values(images)[0]!);
  for (const { pipeline, config, after, job } of Object.values(REFUSED)) {
    await laptop.givePipeline(pipeline, config);
    await after?.(laptop);
    const files = pipeline === 'hollow' ? { 'empty.png': '' } : images;
    const stated = job === undefined ? {} : { 'job.json': JSON.stringify(job(bucket)) };
    await laptop.upload(pipeline, 'd', { ...stated, ...files });
  }
}

const LONG = `${'l'.repeat(260)}_sneaker.png`;
const FOREIGN = 'Ünïcode/靴 & "quotes" + 100%=#?/ankle-boot.png';

/** One drop with every kind of strange file among good ones, since each needs the model to run. */
async function giveStrange(): Promise<void> {
  await laptop.givePipeline('strange', (config) => {
    config.gate = { maxErrorRate: 0.9 };
  });
  const images = Object.values(await laptop.images(4));
  const [boot, sneaker, cut, plain] = images;
  await laptop.stack.objects.write(
    laptop.application.bucket,
    `${bucketLayout.dropFolder(aDrop('strange/d'))}huge_bag.png`,
    Buffer.alloc(101 * 1024 * 1024),
  );
  await laptop.upload('strange', 'd', {
    [LONG]: sneaker!,
    [FOREIGN]: boot!,
    'cut_trouser.png': cut!.subarray(0, cut!.length / 2),
    'empty_bag.png': '',
    'plain_trouser.png': plain!,
  });
}

it.each(Object.entries(REFUSED))('%s is refused before any request to SageMaker', async (_name, refused) => {
  const { report, message, jobs } = await laptop.outcome(`${refused.pipeline}/d/000001`);

  expect(report).toMatchObject({ status: 'refused', failure: { error: 'PlanRefused' } });
  expect(report.problems).toHaveLength(1);
  const { file, ...said } = refused.problem;
  expect(report.problems[0]).toMatchObject(said);
  expect(report.problems[0]?.file).toMatch(file);
  expect(report.failure?.cause).toMatch(refused.message);
  expect(message.body).toMatch(refused.message);
  expect(message.attributes).toMatchObject({ status: 'refused', pipeline: refused.pipeline });
  expect(jobs).toEqual([]);
});

const MARKS = ['MARKED-ROW', 'MARKED-VALUE', 'marked-field', 'MARKED-URI'];

it('what suppliers wrote is in the report, and in no log', async () => {
  await laptop.givePipeline('marked', (config) => {
    config.labels.truth = { from: 'file', path: 'labels.csv' };
  });
  await laptop.upload('marked', 'rows', {
    'labels.csv': 'key,label\nMARKED-ROW',
    ...(await laptop.images(1)),
  });
  const job = { transform: { contentType: 1, accept: ['MARKED-VALUE'] }, 'marked-field': 1 };
  await laptop.upload('marked', 'job', { 'job.json': JSON.stringify(job), ...(await laptop.images(1)) });
  const input = { s3Prefix: `s3://${laptop.application.bucket}/MARKED-URI/` };
  await laptop.upload('marked', 'place', {
    'job.json': JSON.stringify({ input }),
    ...(await laptop.images(1)),
  });
  const reported = [];
  for (const drop of ['rows', 'job', 'place']) {
    const { report } = await laptop.outcome(`marked/${drop}/000001`);
    expect(report.status).toBe('refused');
    reported.push(report.failure?.cause);
  }
  for (const mark of MARKS) expect(reported.join()).toContain(mark);
  const client = new CloudWatchLogsClient();
  const lines: string[] = [];
  for await (const { logGroups = [] } of paginateDescribeLogGroups({ client }, {}))
    for (const { logGroupName } of logGroups)
      for await (const { events = [] } of paginateFilterLogEvents({ client }, { logGroupName }))
        lines.push(...events.map(({ message }) => message ?? ''));
  expect(lines.join()).toContain('problems: see runs/marked/job/000001/problems.json');
  expect(lines.filter((line) => MARKS.some((mark) => line.includes(mark)))).toEqual([]);
});

it('a pipeline that does not exist is named, with those that do', async () => {
  const { report, message } = await laptop.outcome('nowhere/d/000001');

  expect(report).toMatchObject({ status: 'refused', total: 1 });
  expect(report.problems[0]).toMatchObject({ file: 'pipelines/nowhere/pipeline.json' });
  expect(message.body).toMatch(
    /pipelines\/nowhere\/pipeline\.json does not exist: the pipelines are [a-z-]+, .*\. Write s3/,
  );
});

it('a model with an operation that the laptop cannot run ends the run before any job, with the remedy', async () => {
  const { report, message, jobs } = await laptop.outcome('unconverted/d/000001');

  expect(report).toMatchObject({ status: 'failed', failure: { error: 'ModelRefused' } });
  expect(report.failure?.cause).toContain(UNKNOWN_OPERATION);
  expect(message.body).toContain('run with `--engine python`');
  expect(jobs.map(({ status }) => status)).toEqual(['Planned']);
});

it('a drop with a job.json and no file ends empty, and says which files count', async () => {
  const { report, message, manifest } = await laptop.outcome('job-only/d/000001');

  expect(report).toMatchObject({ status: 'empty', total: 0 });
  expect(manifest).toEqual([]);
  expect(message.subject).toContain('empty');
  expect(message.body).toContain('reserved names (job.json, labels.*, _READY) do not count');
});

it('a class list that is not the model’s fails the run, and says how many classes the model has', async () => {
  const { report, message } = await laptop.outcome('nine-classes/d/000001');

  expect(report).toMatchObject({ status: 'failed', failure: { error: 'ClassCountMismatch' } });
  expect(report.failure?.cause).toMatch(/\b10\b.*\b9\b|\b9\b.*\b10\b/);
  expect(message.body).toContain('Make labels.classes match the model');
});

it('an empty file, one above 100 MB and one that is cut off are named, and the rest is predicted', async () => {
  const { report, errors, jobs } = await laptop.outcome('strange/d/000001');

  expect(report).toMatchObject({ status: 'completed-with-errors', total: 6, records: 3, errors: 3 });
  expect(report.errorsByReason).toEqual({ empty: 1, 'too-large': 1, 'model-error': 1 });
  expect(errors.map((line) => /\/d\/([^/,]*),,,,([^,]*),/.exec(line)?.slice(1))).toEqual([
    ['cut_trouser.png', 'model-error'],
    ['empty_bag.png', 'empty'],
    ['huge_bag.png', 'too-large'],
  ]);
  expect(jobs[0]?.objects).toBe(4);
});

it('a key of 300 characters and one that is not ASCII are predicted and scored', async () => {
  const { report, errors } = await laptop.outcome('strange/d/000001');

  expect(`incoming/strange/d/${LONG}`.length).toBeGreaterThanOrEqual(290);
  expect(errors.join()).not.toMatch(/llll|Ünïcode/);
  expect(report.quality).toMatchObject({ labeled: 3 });
});
