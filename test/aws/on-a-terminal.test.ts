import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from '@inferdrop/laptop';
import { objectStore } from '../../src/aws/s3/s3-object-store.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { namedCommands } from '../../src/cli/command-table.ts';
import { linesVisible } from '../../src/cli/show/terminal.ts';
import { Report } from '../../src/report/report.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { parseRunId } from '../../src/run/run-id.ts';
import { manualTime } from '../support/manual-time.ts';
import { openScreen } from '../support/screen.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '../../examples/fashion-mnist');
const RUNS = ['clothes/monday/000001', 'clothes/tuesday/000001'] as const;
const TRAINING = 'training/clothes/monday/000001';
/** A name that commands a terminal, were it shown as it is. */
const HOSTILE = 'a\u001b[2mb';

const folder = temporaryFolder('terminal-');
const at = (name: string): string => path.join(folder, name);

/** Arguments of each command, and what a person then sees, whether it succeeds here or is refused. */
const ROWS: Readonly<Record<string, readonly [args: readonly string[], seen: RegExp]>> = {
  start: [['--port', '70000'], /--port must be/],
  up: [['--port', '70000'], /--port must be/],
  console: [['--port', '70000'], /--port must be/],
  'containers list': [[], /pytorch/],
  'containers install': [['jax'], /is jax/],
  'parts list': [[], /onnxruntime/],
  'parts install': [['onnxruntime'], /is installed in/],
  init: [
    [
      path.join(EXAMPLE, 'model.tar.gz'),
      path.join(EXAMPLE, 'images'),
      '--yes',
      '--name',
      'made',
      '--output',
      at('made'),
    ],
    /model\.framework +tensorflow +\S.*\n[^]*labels\.classes[^]*is complete/,
  ],
  'model pack': [[at('none.pt'), '--output', at('x.tar.gz')], /does not exist/],
  'model inspect': [[path.join(EXAMPLE, 'model.tar.gz')], /serving_default/],
  'pipeline list': [[], /clothes/],
  'pipeline show': [['clothes'], /SETTING/],
  'pipeline put': [[at('wrong')], /a\\u\{1b\}\[2mb/],
  'pipeline delete': [['clothes'], /nothing is deleted/],
  probe: [['clothes'], /clothes has no ended run/],
  drop: [[at('images'), '--pipeline', 'clothes', '--name', 'new'], /upload +1 file/],
  runs: [[], /no run has ended yet/],
  watch: [[RUNS[0]], /clothes\/monday/],
  open: [[RUNS[0], '--print'], /report\.html/],
  report: [[RUNS[0]], /accuracy/i],
  compare: [[...RUNS], /clothes\/tuesday/],
  logs: [[RUNS[0]], /clothes\/monday/],
  cancel: [[RUNS[0]], /clothes\/monday/],
  rerun: [[RUNS[0]], /clothes\/monday/],
  continue: [[RUNS[0]], /clothes\/monday/],
  rescore: [[RUNS[0]], /clothes\/monday/],
  review: [[RUNS[0], '--for', 'csv', '--save', at('review')], /clothes\/monday|0 tasks/],
  replay: [[RUNS[0]], /clothes\/monday/],
  split: [[at(HOSTILE), '--level', '1', '--share', '20', '--save', at('parts')], /a\\u\{1b\}\[2mb/],
  train: [['clothes'], /clothes/],
  promote: [[TRAINING], /training\/clothes/],
  predict: [[at('images/none.png'), '--pipeline', 'clothes'], /none\.png does not exist/],
  'endpoints list': [[], /PIPELINE|nothing/i],
  'endpoints deploy': [['clothes'], /clothes/],
  'endpoints delete': [['clothes'], /clothes/],
  'endpoints logs': [['clothes'], /clothes/],
  deploy: [[`--${HOSTILE}`], /takes no --a\\u\{1b\}\[2mb/],
  remove: [[`--${HOSTILE}`], /takes no --a\\u\{1b\}\[2mb/],
  verify: [['--spend', 'much'], /--spend/],
  'dead-letters list': [[], /\S/],
  'dead-letters send': [[], /\S/],
  'accelerators migrate': [['--to', HOSTILE], /is a\\u\{1b\}\[2mb/],
  completion: [['bash'], /complete/],
};

let stack: Stack;
/** A place that takes requests and keeps silent, until it refuses them. */
let silent: Server;
let isSilent = true;
const waiting = new Set<Socket>();
const refuse = (socket: Socket): void =>
  void socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
beforeAll(async () => {
  stack = await startStack({ port: 0, dir: at('data'), credentials: { LKIAtest: 'secret' } });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: stack.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'LKIAtest',
    AWS_SECRET_ACCESS_KEY: 'secret',
  });
  const queue = { Type: 'AWS::SQS::Queue' };
  const machine = {
    Type: 'AWS::StepFunctions::StateMachine',
    Properties: {
      RoleArn: { 'Fn::GetAtt': ['Role', 'Arn'] },
      Definition: { QueryLanguage: 'JSONata', StartAt: 'Done', States: { Done: { Type: 'Succeed' } } },
    },
  };
  const trust = { Effect: 'Allow', Principal: { Service: 'states.amazonaws.com' }, Action: 'sts:AssumeRole' };
  const outputs = {
    BucketName: { Ref: 'Bucket' },
    UploadQueueUrl: { Ref: 'Uploads' },
    DeadLetterQueueUrl: { Ref: 'Dead' },
    StateMachineArn: { Ref: 'Runs' },
    TrainingMachineArn: { Ref: 'Trainings' },
    EndpointMachineArn: { Ref: 'Endpoints' },
    ApiUrl: 'http://127.0.0.1:9',
  };
  const template = {
    Resources: {
      Bucket: { Type: 'AWS::S3::Bucket' },
      Uploads: queue,
      Dead: queue,
      Role: {
        Type: 'AWS::IAM::Role',
        Properties: { AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [trust] } },
      },
      Runs: machine,
      Trainings: machine,
      Endpoints: machine,
    },
    Outputs: Object.fromEntries(Object.entries(outputs).map(([name, Value]) => [name, { Value }])),
  };
  const { outputs: found } = await stack.deploy({
    stackName: 'inferdrop-dev',
    template: JSON.stringify(template),
    parameters: {},
  });
  const bucket = found.find(({ key }) => key === 'BucketName')!.value;
  const store = objectStore({ bucket });
  for (const file of ['pipeline.json', 'model.tar.gz'])
    await store.write(`pipelines/clothes/${file}`, readFileSync(path.join(EXAMPLE, file)));
  const report = JSON.parse(readFileSync('test/golden/report/10-classes.json', 'utf8'));
  for (const run of RUNS) {
    const parts = parseRunId(run)!;
    await store.write(bucketLayout.reportJson(parts), JSON.stringify(Report.parse({ ...report, run })));
    await store.write(bucketLayout.reportHtml(parts), '<p>report</p>');
  }
  mkdirSync(at('images'));
  writeFileSync(at('images/a.png'), 'png');
  mkdirSync(at('wrong'));
  writeFileSync(at('wrong/pipeline.json'), JSON.stringify({ [HOSTILE]: 1 }));
  silent = createServer((socket) => (isSilent ? void waiting.add(socket) : refuse(socket)));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  silent.close();
  await stack.close();
});

it('each command has its row', () => {
  expect(Object.keys(ROWS).sort()).toEqual(
    namedCommands()
      .map(([name]) => name)
      .sort(),
  );
});

describe.each(Object.entries(ROWS))('%s', (name, [args, seen]) => {
  it('shows no escape sequence as text, and no ARN', async () => {
    const { text } = await shown([...name.split(' '), ...args]);
    expect(text).toMatch(seen);
    // A hostile name alone is shown as code points.
    expect(text.replaceAll('a\\u{1b}[2mb', '')).not.toMatch(/[^\P{Cc}\n]|\\u\{|\[\d+m|arn:/u);
  });
});

/** Commands that ask nobody, or refuse their arguments before. */
const LOCAL =
  /^(start|up|containers .*|parts .*|init|model .*|deploy|remove|split|accelerators .*|completion|console|verify)$/;
/** Those that look at files here first. */
const FILES_FIRST = ['drop', 'train', 'pipeline put'];

it.each(
  namedCommands()
    .map(([name]) => name)
    .filter((name) => !LOCAL.test(name) && !FILES_FIRST.includes(name)),
)('%s says every two seconds that it is at work, while what it asks keeps silent', async (name) => {
  const time = manualTime();
  const screen = openScreen();
  isSilent = true;
  process.env['AWS_ENDPOINT_URL'] = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const ended = runCommandLine([...name.split(' '), ...(ROWS[name]?.[0] ?? [])], screen.terminal, time).catch(
    (error: unknown) => error,
  );
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (waiting.size === 0 && !isOver) await new Promise(setImmediate);
  expect(isOver, 'it asked nobody').toBe(false);
  for (const seconds of [2, 4]) {
    time.pass(2_000);
    expect(screen.text).toContain(`${name} (${seconds} s)`);
  }
  isSilent = false;
  for (const socket of waiting) refuse(socket);
  waiting.clear();
  expect(await ended).toBeInstanceOf(Error);
  process.env['AWS_ENDPOINT_URL'] = stack.endpoint;
});

/** Runs a command line on a screen as src/cli/main.ts does. */
async function shown(args: readonly string[]): Promise<{ readonly text: string }> {
  const screen = openScreen();
  await runCommandLine(args, screen.terminal, manualTime()).catch((error: Error) =>
    screen.terminal.note(`inferdrop: ${linesVisible(error.message)}`),
  );
  return screen;
}
