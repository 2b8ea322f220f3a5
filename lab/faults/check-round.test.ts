import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DeleteObjectCommand, GetObjectCommand } from '@aws-sdk/client-s3';
import {
  CreateEndpointCommand,
  CreateEndpointConfigCommand,
  CreateTransformJobCommand,
  ListModelsCommand,
} from '@aws-sdk/client-sagemaker';
import { ListTopicsCommand, PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Laptop, startLaptop } from '../../test/support/laptop.ts';
import { type CampaignApplication, connectTo } from './application.ts';
import { checkRound } from './check-round.ts';
import { drawsFrom } from './draw.ts';
import { createUploader } from './uploader.ts';

const RUN = 'rows/checked/000001';
const BASE = `runs/${RUN}`;

let laptop: Laptop;
let application: CampaignApplication;
beforeAll(async () => {
  laptop = await startLaptop({ object: (key) => (key.startsWith('shared/') ? 'hang' : undefined) });
  application = await connectTo(laptop.dataDir);
  await createUploader(application, drawsFrom(1));
  const features = [0, 0, 0, 0, 0, 0];
  const put = (id: number) =>
    application.put(`incoming/rows/checked/${id}.jsonl`, `${JSON.stringify({ id, label: 'a', features })}\n`);
  // At once: the drop begins after a second without a file.
  await Promise.all([1, 2, 3].map(put));
  await laptop.outcome(RUN);
  await laptop.until(async () => {
    await application.readInbox();
    return application.messages.has(RUN) && (await application.busy()).length === 0 ? true : undefined;
  });
});
afterAll(() => laptop.close());

/** Problems that the checker finds once something has gone wrong. */
async function problems(): Promise<string> {
  return (await checkRound(application)).problems.join('\n');
}

async function text(key: string): Promise<string> {
  const { Body } = await application.s3.send(new GetObjectCommand({ Bucket: application.bucket, Key: key }));
  return Body!.transformToString();
}

/** Writes a file of the run wrongly, as a defect would, and rightly again. */
async function withChanged(
  key: string,
  change: (body: string) => string,
  look: () => Promise<string> = problems,
): Promise<string> {
  const right = await text(key);
  await laptop.application.store.write(key, change(right));
  const found = await look();
  await laptop.application.store.write(key, right);
  return found;
}

it('finds nothing where nothing is wrong', async () => {
  expect(await checkRound(application)).toMatchObject({
    problems: [],
    runs: 1,
    files: 3,
    failed: [],
    stranded: [],
  });
});

it('finds a file in no manifest, and one that is there twice', async () => {
  const manifest = `${BASE}/manifest.jsonl`;
  expect(await withChanged(manifest, (body) => body.replace(/^.*\n/, ''))).toMatch(
    /1\.jsonl .*: newest version in 0 manifests/,
  );
  expect(await withChanged(manifest, (body) => `${body}${body.split('\n')[0]}\n`)).toMatch(
    `${RUN}: twice in the manifest`,
  );
});

it('asks for a rerun of a run that failed, unless what it took in has been overwritten since', async () => {
  const failed = async (): Promise<string> => (await checkRound(application)).failed.join('\n');
  const asFailed = (body: string): string => JSON.stringify({ ...JSON.parse(body), status: 'failed' });
  const whenFailed = () => withChanged(`${BASE}/report.json`, asFailed, failed);
  expect(await whenFailed()).toBe(`${RUN} (failed)`);
  const overwritten = (body: string): string => body.replace(/"etag":"/g, '"etag":"0');
  expect(await withChanged(`${BASE}/manifest.jsonl`, overwritten, whenFailed)).toBe('');
});

it('finds counts and costs that do not add up', async () => {
  const report = `${BASE}/report.json`;
  const changed = (change: object) => (body: string) => JSON.stringify({ ...JSON.parse(body), ...change });
  expect(await withChanged(report, changed({ total: 4 }))).toMatch(
    'the report counts 4 inputs, its manifest 3',
  );
  expect(await withChanged(report, changed({ records: 2 }))).toMatch('the report says 2 records');
  expect(await withChanged(report, changed({ costUsd: 99 }))).toMatch('costs 99, its jobs');
  expect(await withChanged(report, changed({ jobs: [] }))).toMatch('is not in the report');
});

it('finds a run that never came to its end, and a lock that nothing holds', async () => {
  const { store } = laptop.application;
  await store.write('state/rows/other/000001/freezing', '');
  await store.write('endpoints/rows/change.json', '{}');
  const found = await problems();
  expect(found).toMatch('rows/other/000001: began to freeze, and was never brought to its end');
  expect(found).toMatch('endpoints/rows/change.json is left');
  await store.delete('state/rows/other/000001/freezing');
  await store.delete('endpoints/rows/change.json');
});

it('finds a second message, and one that never came', async () => {
  const { endpoint, site } = laptop.stack;
  const sns = new SNSClient({ endpoint, region: site.region });
  const { Topics = [] } = await sns.send(new ListTopicsCommand({}));
  const TopicArn = (Topics.find(({ TopicArn: arn = '' }) => arn.includes('notif')) ?? Topics[0])?.TopicArn;
  const run = { DataType: 'String', StringValue: RUN };
  await sns.send(new PublishCommand({ TopicArn, Message: 'again', MessageAttributes: { run } }));
  await application.readInbox();
  expect(await problems()).toBe(`${RUN}: 2 messages, 0 may be repetitions\n${RUN}: messages that differ`);
  const allowed = await checkRound(application, new Map([[RUN, 1]]));
  expect(allowed.problems).toEqual([`${RUN}: messages that differ`]);
  const none = new Map<string, ReadonlyMap<string, string>>();
  expect((await checkRound({ ...application, messages: none })).problems).toEqual([`${RUN}: no message`]);
  const [first] = application.messages.get(RUN)!;
  application = { ...application, messages: new Map([[RUN, new Map([first!])]]) };
});

it('finds a job, and an execution, that run on', async () => {
  const { sagemaker, bucket, put } = application;
  const { Models = [] } = await sagemaker.send(new ListModelsCommand({}));
  await laptop.application.store.write('shared/x.jsonl', '{}\n');
  await sagemaker.send(
    new CreateTransformJobCommand({
      TransformJobName: 'left',
      ModelName: Models[0]!.ModelName!,
      TransformInput: {
        DataSource: { S3DataSource: { S3DataType: 'S3Prefix', S3Uri: `s3://${bucket}/shared/` } },
      },
      TransformOutput: { S3OutputPath: `s3://${bucket}/elsewhere/` },
      TransformResources: { InstanceType: 'ml.m5.large', InstanceCount: 1 },
    }),
  );
  await laptop.givePipeline('patient');
  await put('incoming/patient/d/a.png', 'x');
  await laptop.until(async () => ((await application.busy()).length > 0 ? true : undefined));
  await laptop.until(async () => (/execution patient/.test(await problems()) ? true : undefined));
  expect(await problems()).toMatch(/job left is InProgress/);
  // The execution waits for quiet: only the job would lose its work.
  await laptop.until(async () => ((await application.working()).join() === 'job left' ? true : undefined));
});

it('finds an endpoint without an owner, and its configuration', async () => {
  const { sagemaker } = application;
  const { Models = [] } = await sagemaker.send(new ListModelsCommand({}));
  await sagemaker.send(
    new CreateEndpointConfigCommand({
      EndpointConfigName: 'orphan',
      ProductionVariants: [
        {
          VariantName: 'v',
          ModelName: Models[0]!.ModelName!,
          InstanceType: 'ml.m5.large',
          InitialInstanceCount: 1,
        },
      ],
    }),
  );
  expect(await problems()).toMatch('endpoint configuration orphan is left');
  await sagemaker.send(new CreateEndpointCommand({ EndpointName: 'orphan', EndpointConfigName: 'orphan' }));
  expect(await problems()).toMatch('endpoint orphan has no owner');
});

it('finds a row that was lost', async () => {
  const rows = (await Array.fromAsync(laptop.application.store.list(`${BASE}/rows/`)))[0]!.key;
  await application.s3.send(new DeleteObjectCommand({ Bucket: application.bucket, Key: rows }));
  expect(await problems()).toMatch(/in no row: .*1\.jsonl.*\n.*0 rows for 3 inputs/);
});

it('finds a byte that changed on the disk', async () => {
  const bodies = path.join(laptop.dataDir, 's3', 'bodies');
  const files = (await readdir(bodies, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  for (const { parentPath, name } of files) {
    const file = path.join(parentPath, name);
    const body = await readFile(file, 'utf8');
    if (body.startsWith('{"id":2,')) await writeFile(file, body.replace('"a"', '"b"'));
  }
  expect(await problems()).toMatch(/incoming\/rows\/checked\/2\.jsonl .*acknowledged, now other bytes/);
});
