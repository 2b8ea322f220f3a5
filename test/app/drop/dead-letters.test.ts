import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type LocalMessaging,
  localMessaging,
} from '../../../packages/laptop/test/support/local-messaging.ts';
import { manualClock } from '../../../packages/laptop/test/support/manual-clock.ts';
import { until } from '../../../packages/laptop/test/support/until.ts';
import { listLetters, sendLetters } from '../../../src/app/drop/dead-letters.ts';
import { deadLetters } from '../../../src/aws/messages/dead-letters.ts';

const ARN = 'arn:aws:sqs:us-east-1:000000000000:';
const machine = (name: string) => `arn:aws:states:us-east-1:000000000000:stateMachine:inferdrop-dev-${name}`;
const machines = {
  runs: { inference: machine('batch-inference'), training: machine('training') },
  endpoint: machine('endpoint'),
};
const functionArn = (name: string) => `arn:aws:lambda:us-east-1:000000000000:function:inferdrop-dev-${name}`;
const UPLOAD = { key: 'incoming/clothes/monday/a.png', time: '2026-03-02T09:15:07Z' };
const ENV = ['AWS_ENDPOINT_URL', 'AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;

let stack: LocalMessaging;
let sqs: SQSClient;
let services: Parameters<typeof listLetters>[0];
const before = ENV.map((name) => [name, process.env[name]] as const);

beforeEach(async () => {
  const clock = manualClock(Date.now());
  // The minutes between Lambda's attempts pass at once.
  const sleep: typeof clock.sleep = async (ms, signal) =>
    ms < 60_000 ? clock.sleep(ms, signal) : Promise.resolve();
  stack = await localMessaging({ clock: { ...clock, sleep } });
  const { endpoint, credentials } = stack.client;
  const [url, key, secret] = [String(endpoint), credentials.accessKeyId, credentials.secretAccessKey];
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: key,
    AWS_SECRET_ACCESS_KEY: secret,
  });
  sqs = new SQSClient(stack.client);
  const { ref: queueUrl } = await stack.make('AWS::SQS::Queue', { QueueName: 'dead' });
  const RedrivePolicy = { deadLetterTargetArn: `${ARN}dead`, maxReceiveCount: 1 };
  const { ref: uploadsUrl } = await stack.make('AWS::SQS::Queue', { QueueName: 'uploads', RedrivePolicy });
  services = {
    letters: deadLetters({ queueUrl, uploadsUrl, functionPrefix: 'inferdrop-dev', waitSeconds: 0 }),
    machines,
  };
});
afterEach(async () => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await stack.close();
});

const dead = () => stack.sqs.queues.open(`${ARN}dead`).counts();
const toUploads = (body: string) =>
  sqs.send(new SendMessageCommand({ QueueUrl: 'http://x/uploads', MessageBody: body }));
const receive = async (VisibilityTimeout: number) =>
  (
    await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: 'http://x/uploads',
        VisibilityTimeout,
        MaxNumberOfMessages: 10,
      }),
    )
  ).Messages ?? [];

/** Brings about one dead letter of each kind, as the stack's queue, rules and functions do. */
async function fail(): Promise<void> {
  await toUploads(JSON.stringify(UPLOAD));
  await toUploads('not an upload');
  for (let left = 2; left > 0; left = (await receive(0)).length);

  const DeadLetterConfig = { Arn: `${ARN}dead` };
  await stack.make('AWS::Events::Rule', {
    Name: 'inferdrop-dev-execution-end',
    EventPattern: { source: ['aws.states'] },
    Targets: [{ Id: 'clean-up-run', Arn: functionArn('clean-up-run'), DeadLetterConfig }],
  });
  await stack.make('AWS::Events::Rule', {
    Name: 'inferdrop-dev-uploads',
    EventPattern: { source: ['aws.s3'] },
    Targets: [{ Id: 'upload-queue', Arn: `${ARN}gone`, DeadLetterConfig }],
  });
  const ends = { status: 'FAILED', error: 'States.Runtime' };
  for (const [name, stateMachineArn] of Object.entries({ ...machines.runs, endpoint: machines.endpoint }))
    await stack.events.bus.put({
      source: 'aws.states',
      'detail-type': 'Step Functions Execution Status Change',
      detail: { ...ends, name, stateMachineArn },
    });
  await stack.events.bus.put({
    source: 'aws.s3',
    'detail-type': 'Object Created',
    detail: { bucket: { name: 'b' }, object: { key: 'incoming/clothes/tuesday/b.png', size: 7, etag: 'e' } },
  });

  for (const [name, payload] of [
    ['sweep', '{}'],
    ['sweep-endpoints', '{"check":"endpoints"}'],
  ] as const) {
    const FunctionName = `inferdrop-dev-${name}`;
    await stack.makeFunction(
      FunctionName,
      'export const handler = async () => { throw new RangeError("too many") }',
      {
        DeadLetterConfig: { TargetArn: `${ARN}dead` },
      },
    );
    await stack.lambda.functions.invokeLater(FunctionName, Buffer.from(payload));
  }
  await until(() => dead().visible === 8);
}

it('each of the three forms of a dead letter is listed with its cause, hidden from nobody, and sent where it belongs', async () => {
  await fail();
  const letters = await listLetters(services);
  expect(letters.map(({ from, about, why, destination: { to } }) => [from, about, why, to]).sort()).toEqual(
    [
      ['queue uploads', UPLOAD.key, expect.stringContaining('accept-drop'), 'uploads'],
      ['queue uploads', 'not an upload', expect.anything(), 'nowhere'],
      [
        'rule inferdrop-dev-execution-end',
        'execution inference (FAILED, States.Runtime)',
        expect.stringContaining('NO_RESOURCE'),
        'clean-up-run',
      ],
      [
        'rule inferdrop-dev-execution-end',
        'execution training (FAILED, States.Runtime)',
        expect.stringContaining('NO_RESOURCE'),
        'clean-up-run',
      ],
      [
        'rule inferdrop-dev-execution-end',
        'execution endpoint (FAILED, States.Runtime)',
        expect.stringContaining('NO_RESOURCE'),
        'repair-endpoint',
      ],
      [
        'rule inferdrop-dev-uploads',
        'incoming/clothes/tuesday/b.png',
        expect.stringContaining('NO_RESOURCE'),
        'uploads',
      ],
      ['function sweep', 'sweep', expect.stringContaining('RangeError: too many (request '), 'sweep'],
      [
        'function sweep-endpoints',
        'sweep-endpoints',
        expect.stringContaining('RangeError: too many'),
        'sweep-endpoints',
      ],
    ].sort(),
  );
  expect(dead()).toMatchObject({ visible: 8 });

  const ECHO = 'export const handler = async (event) => console.log("got " + JSON.stringify(event))';
  for (const name of ['clean-up-run', 'repair-endpoint', 'sweep', 'sweep-endpoints'])
    await stack.makeFunction(`inferdrop-dev-${name}`, ECHO);
  const sent = await sendLetters(services);
  expect(sent.filter(({ outcome }) => outcome === 'kept')).toMatchObject([
    { about: 'not an upload', problem: expect.stringContaining('message must be JSON') },
  ]);
  expect(dead()).toMatchObject({ visible: 1 });
  const got = (name: string) =>
    stack.lines(`/aws/lambda/inferdrop-dev-${name}`).flatMap((line) => /got (\{.*\})/.exec(line)?.[1] ?? []);
  await until(() => got('clean-up-run').length === 2 && got('repair-endpoint').length === 1);
  await until(() => got('sweep').length === 1 && got('sweep-endpoints').length === 1);
  expect([got('sweep'), got('sweep-endpoints')]).toEqual([['{}'], ['{"check":"endpoints"}']]);
  const bodies = (await receive(30)).map(({ Body }) => JSON.parse(Body!));
  expect(bodies.map(({ key }) => key).sort()).toEqual([UPLOAD.key, 'incoming/clothes/tuesday/b.png']);
  for (const { time } of bodies) expect(time).toMatch(/^\d{4}-\d\d-\d\dT/);
});

it('a letter whose destination refuses it stays, can be received at once, and says why', async () => {
  await fail();
  const sent = await sendLetters(services);
  const kept = sent.filter(({ outcome }) => outcome === 'kept');
  expect(kept.map(({ destination: { to } }) => to).sort()).toEqual([
    'clean-up-run',
    'clean-up-run',
    'nowhere',
    'repair-endpoint',
  ]);
  expect(kept.find(({ destination: { to } }) => to === 'repair-endpoint')?.problem).toContain(
    'Function not found',
  );
  // The sweeps fail again.
  await until(() => dead().visible === 6);
});
