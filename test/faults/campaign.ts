/**
 * `npm run test:faults [-- --seed N] [--minutes M] [--drops D]`: random drops on the real stack, as a process with a disk, while an adversary kills,
 * delays, repeats and refuses; after each round an independent check of what was acknowledged against what is there.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { crc32 } from 'node:zlib';
import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SageMakerClient } from '@aws-sdk/client-sagemaker';
import { ListExecutionsCommand, ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { ListTopicsCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { ListBucketsCommand } from '@aws-sdk/client-s3';
import { random } from '../support/random.ts';
import { checkRound } from './check-round.ts';
import { Ledger } from './ledger.ts';
import { StackProcess } from './stack-process.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string' }, minutes: { type: 'string' }, drops: { type: 'string' } },
});
const seed = Number(values.seed ?? Math.floor(Date.now() / 1000));
const untilMs = Date.now() + Number(values.minutes ?? 3) * 60_000;
const DROPS_A_ROUND = Number(values.drops ?? 8);
const QUIET_LIMIT_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;
const EXAMPLE = path.resolve(import.meta.dirname, '..', '..', 'examples', 'fashion-mnist');

const chance = random(seed);
const draw = (from: number, to: number): number => from + Math.floor(chance() * (to - from + 1));
const oneOf = <T>(from: readonly T[]): T => from[draw(0, from.length - 1)]!;

const dataDir = await mkdtemp(path.join(tmpdir(), 'faults-'));
const log = path.join(dataDir, 'stack.log');
const stack = new StackProcess(path.join(dataDir, 'data'), await freePort(), log);
await stack.start();
const { endpoint, accessKeyId, secretAccessKey } = JSON.parse(
  await readFile(path.join(dataDir, 'data', 'credentials.json'), 'utf8'),
);
const client = {
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId, secretAccessKey },
  maxAttempts: 5,
};
const s3 = new S3Client({ ...client, forcePathStyle: true });
const sfn = new SFNClient(client);
const sagemaker = new SageMakerClient(client);
const sns = new SNSClient(client);
const sqs = new SQSClient(client);
const ledger = new Ledger();
const counts: Record<string, number> = {
  overwrites: 0,
  deletions: 0,
  'repeated events': 0,
  'processes killed': 0,
};
const messages = new Map<string, Set<string>>();
let serial = 0;

process.stdout.write(`seed ${seed}, data in ${dataDir}\n`);
const bucket = await bucketOf();
const images = await Promise.all(
  (await readdir(path.join(EXAMPLE, 'images'))).slice(0, 60).map(async (name) => ({
    label: name.replace(/^.*?([a-zA-Z-]+)\.png$/, '$1'),
    bytes: await readFile(path.join(EXAMPLE, 'images', name)),
  })),
);
await put('pipelines/p/model.tar.gz', await readFile(path.join(EXAMPLE, 'model.tar.gz')));
const config = JSON.parse(await readFile(path.join(EXAMPLE, 'pipeline.json'), 'utf8'));
Object.assign(config, { drop: { quietSeconds: 1 }, endpoint: { deploy: 'never' }, gate: undefined });
await put('pipelines/p/pipeline.json', Buffer.from(JSON.stringify(config)));
const inbox = await subscribe();
const uploads = (await sqs.send(new GetQueueUrlCommand({ QueueName: 'inferdrop-dev-uploads' }))).QueueUrl!;

let drops = 0;
let problems: string[] = [];
for (let round = 1; Date.now() < untilMs && problems.length === 0; round++) {
  const names = Array.from({ length: DROPS_A_ROUND }, (_, index) => `r${round}-${index}`);
  const stop = new AbortController();
  const watching = keepUp(stop.signal);
  const attacking = attack(stop.signal);
  await Promise.all(names.map(fill));
  drops += names.length;
  stop.abort();
  await Promise.all([watching, attacking]);
  await stack.ensureUp();
  stack.send({ kind: 'kill-at-write', writes: Number.MAX_SAFE_INTEGER });
  stack.send({ kind: 'network', rate: 0, throttle: 0, seed: 0 });
  stack.send({ kind: 'clock', offsetMs: 0 });
  stack.send({ kind: 'refuse', code: 'ENOSPC', calls: 0 });
  await stack.ensureUp();
  await quiet();
  // Generations that die one after the other leave their files to the next upload, and say so in a message.
  for (const name of names) await put(`incoming/p/${name}/_READY`, Buffer.from(String(++serial)));
  await quiet();
  const found = await checkRound({ s3, sfn, sagemaker }, bucket, ledger, messages);
  ({ problems } = found);
  const doubled = messages
    .values()
    .filter((ids) => ids.size > 1)
    .toArray().length;
  process.stdout.write(
    `round ${round}: ${drops} drops, ${found.files} files, ${found.runs} runs (${found.failed.length} failed: ${found.failed.join(' ')}), ` +
      `${stack.kills} stacks killed, ${doubled} messages twice, ${problems.length} problems\n`,
  );
}
await stack.stop();
process.stdout.write(
  `${JSON.stringify({ seed, drops, stacksKilled: stack.kills, ...counts, ...stack.injected })}\n`,
);
for (const problem of problems) process.stdout.write(`${problem}\n`);
if (problems.length === 0) await rm(dataDir, { recursive: true, force: true });
else process.stdout.write(`the data is kept in ${dataDir}; repeat with --seed ${seed}\n`);
process.exit(problems.length === 0 ? 0 : 1);

/** Uploads a drop piece by piece; overwrites and deletes some of it meanwhile. */
async function fill(drop: string): Promise<void> {
  const keys = Array.from(
    { length: draw(1, 12) },
    (_, index) => `incoming/p/${drop}/${draw(0, 2)}/${index}-`,
  );
  const written: string[] = [];
  for (const start of keys) {
    const { label, bytes } = oneOf(images);
    const key = `${start}${label}.png`;
    await put(key, unique(bytes));
    written.push(key);
    if (chance() < 0.3) await sleep(draw(0, 1500));
    if (chance() < 0.08) {
      counts['overwrites']!++;
      await put(oneOf(written), unique(oneOf(images).bytes));
    }
    if (chance() < 0.04) {
      counts['deletions']!++;
      await insist(() => s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: oneOf(written) })));
    }
    if (chance() < 0.15) await repeatEvent(oneOf(written));
  }
  await sleep(draw(0, 8000));
  if (chance() < 0.5) {
    counts['overwrites']!++;
    await put(oneOf(written), unique(oneOf(images).bytes));
  }
}

/** EventBridge and SQS deliver at least once and in any order: an event comes again, and late. */
async function repeatEvent(key: string): Promise<void> {
  counts['repeated events']!++;
  const time = new Date(Date.now() - draw(0, 60_000)).toISOString();
  const body = JSON.stringify({ key, size: 1, etag: 'repeated', time });
  const message = { QueueUrl: uploads, MessageBody: body, DelaySeconds: draw(0, 20) };
  await insist(() => sqs.send(new SendMessageCommand(message)));
}

async function attack(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(draw(100, 900));
    const kind = draw(1, 100);
    if (kind <= 8) await stack.kill();
    else if (kind <= 22) stack.send({ kind: 'kill-at-write', writes: draw(1, 200) });
    else if (kind <= 50) killOne();
    else if (kind <= 60) stack.send({ kind: 'refuse', code: 'ENOSPC', calls: draw(1, 8) });
    else if (kind <= 70) stack.send({ kind: 'refuse', code: 'EMFILE', calls: draw(1, 4) });
    else if (kind <= 76) stack.send({ kind: 'clock', offsetMs: oneOf([-HOUR_MS, 0, HOUR_MS]) });
    else {
      const faults = { rate: oneOf([0, 0.02, 0.1, 0.3]), throttle: oneOf([0, 0.2, 0.5]) };
      stack.send({ kind: 'network', ...faults, seed: draw(1, 1e9) });
    }
  }
}

/** Ends one process of a function, a container or a model. */
function killOne(): void {
  const below = stack.descendants();
  if (below.length === 0) return;
  try {
    process.kill(oneOf(below), 'SIGKILL');
    counts['processes killed']!++;
  } catch {
    // It has ended by itself.
  }
}

async function keepUp(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await stack.ensureUp();
    await sleep(100);
  }
}

/** Until nothing happens any more: no execution runs, and no upload event waits. */
async function quiet(): Promise<void> {
  const limitMs = Date.now() + QUIET_LIMIT_MS;
  for (let calm = 0; calm < 5 && Date.now() < limitMs; await sleep(1000)) {
    await readInbox();
    calm = (await isBusy()) ? 0 : calm + 1;
  }
}

async function isBusy(): Promise<boolean> {
  const attributes = new GetQueueAttributesCommand({ QueueUrl: uploads, AttributeNames: ['All'] });
  const { Attributes } = await sqs.send(attributes);
  const waiting = [
    Attributes?.ApproximateNumberOfMessages,
    Attributes?.ApproximateNumberOfMessagesNotVisible,
    Attributes?.ApproximateNumberOfMessagesDelayed,
  ];
  if (waiting.some((count) => count !== '0')) return true;
  const { stateMachines = [] } = await sfn.send(new ListStateMachinesCommand({}));
  for (const { stateMachineArn } of stateMachines) {
    const list = new ListExecutionsCommand({ stateMachineArn, statusFilter: 'RUNNING', maxResults: 1 });
    if ((await sfn.send(list)).executions?.length) return true;
  }
  return false;
}

async function subscribe(): Promise<string> {
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'campaign' }));
  const { Topics = [] } = await sns.send(new ListTopicsCommand({}));
  const topic = Topics.find(({ TopicArn }) => TopicArn?.includes('notif'))?.TopicArn ?? Topics[0]!.TopicArn!;
  const queueArn = `arn:aws:sqs:us-east-1:000000000000:campaign`;
  const policy = {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: 'sns.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: queueArn,
      },
    ],
  };
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy: JSON.stringify(policy) } }));
  await sns.send(new SubscribeCommand({ TopicArn: topic, Protocol: 'sqs', Endpoint: queueArn }));
  return QueueUrl!;
}

async function readInbox(): Promise<void> {
  for (;;) {
    const receive = new ReceiveMessageCommand({ QueueUrl: inbox, MaxNumberOfMessages: 10 });
    const { Messages = [] } = await sqs.send(receive);
    if (Messages.length === 0) return;
    for (const { Body, ReceiptHandle } of Messages) {
      const { MessageId, MessageAttributes } = JSON.parse(Body!);
      const run = MessageAttributes?.run?.Value ?? '';
      if (!messages.has(run)) messages.set(run, new Set());
      messages.get(run)!.add(MessageId);
      await sqs.send(new DeleteMessageCommand({ QueueUrl: inbox, ReceiptHandle }));
    }
  }
}

async function put(key: string, body: Buffer): Promise<void> {
  const { VersionId } = await insist(() =>
    s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body })),
  );
  ledger.wrote({ key, versionId: VersionId!, sha256: createHash('sha256').update(body).digest('hex') });
}

/** Tries until it is acknowledged, as an uploader does. */
async function insist<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (tries > 600) throw error;
      await sleep(200);
    }
  }
}

async function bucketOf(): Promise<string> {
  const { Buckets = [] } = await s3.send(new ListBucketsCommand({}));
  const found = Buckets.find(
    ({ Name = '' }) => Name.startsWith('inferdrop-dev') && !Name.includes('deployment'),
  );
  return found!.Name!;
}

/** The same picture in bytes that no other upload has: a comment with a number of its own before the image's end. */
function unique(png: Buffer): Buffer {
  const data = Buffer.from(`tEXtComment\0${++serial}`, 'latin1');
  const size = Buffer.alloc(4);
  size.writeUInt32BE(data.length - 4);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(data));
  const end = png.length - 12;
  return Buffer.concat([png.subarray(0, end), size, data, check, png.subarray(end)]);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
