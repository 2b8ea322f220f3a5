import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cacheFolder } from '../../scripts/parts.mjs';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { asRole } from '../support/as-deployer.ts';
import type { Credentials } from '../support/deploy-command.ts';
import { type Laptop, startLaptop } from '../support/laptop.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const EXAMPLE = path.join(ROOT, 'examples', 'fashion-mnist');
const PIPELINE = 'clothes';

/** What the command line does before an upload to a stack on this machine only: it lets the stack look at the model. */
const OF_LAPTOP = {
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Action: ['sagemaker:CreateModel', 'sagemaker:DeleteModel', 'sagemaker:AddTags', 'iam:PassRole'],
      Resource: ['*'],
    },
    {
      Effect: 'Allow',
      Action: ['s3:DeleteObject'],
      Resource: [`arn:aws:s3:::*/pipelines/${PIPELINE}-pr-*/model-*.tar.gz`],
    },
  ],
};

let laptop: Laptop;
let session: Credentials;
let workspace: string;
let base: string;

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=me', '-c', 'user.email=me@example.com', ...args], {
    cwd: workspace,
    encoding: 'utf8',
  }).trim();
const write = (file: string, text: string | Uint8Array): void =>
  writeFileSync(path.join(workspace, file), text);
const pipelineJson = (gate: object, deploy: string) => {
  const example = JSON.parse(readFileSync(path.join(EXAMPLE, 'pipeline.json'), 'utf8'));
  return JSON.stringify({ ...example, gate, endpoint: { deploy }, drop: { quietSeconds: 600 } });
};

beforeAll(async () => {
  laptop = await startLaptop();
  const text = readFileSync(path.join(ROOT, 'docs', 'policies', 'aws', 'action-role.json'), 'utf8');
  const policy = text.replaceAll('BUCKET', laptop.application.bucket).replaceAll('PIPELINE', PIPELINE);
  session = await asRole(laptop.stack, 'action', [JSON.parse(policy), OF_LAPTOP]);
});
afterAll(() => laptop.close());

/** A checkout of a request that lowers the gate, wants to be served, and judges itself by one of the inputs. */
beforeEach(async () => {
  workspace = temporaryFolder('workspace-');
  git('init', '-q');
  mkdirSync(path.join(workspace, 'clothes', 'images'), { recursive: true });
  copyFileSync(path.join(EXAMPLE, 'model.tar.gz'), path.join(workspace, 'clothes', 'model.tar.gz'));
  write(
    'clothes/pipeline.json',
    pipelineJson({ minAccuracy: 0.99, minInputs: 8, confidence: 0.95 }, 'never'),
  );
  for (const [name, image] of Object.entries(await laptop.images(8))) write(`clothes/images/${name}`, image);
  git('add', '-A');
  git('commit', '-q', '-m', 'base');
  base = git('rev-parse', 'HEAD');
  write('clothes/pipeline.json', pipelineJson({ minAccuracy: 0.01, minInputs: 1 }, 'when-gate-passes'));
  write('clothes/images/job.json', '{"sample": {"inputs": 1}}');
  git('add', '-A');
  git('commit', '-q', '-m', 'request');
});

interface Step {
  readonly code: number;
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly comment: string;
}

/** Runs a script as the step of action.yml does. */
async function step(settings: Readonly<Record<string, string>>): Promise<Step> {
  const temp = temporaryFolder('runner-');
  const outputs = path.join(temp, 'outputs');
  writeFileSync(outputs, '');
  const env = {
    PATH: process.env['PATH'],
    HOME: temp,
    // A cold cache would cost each step seconds.
    INFERDROP_CACHE: cacheFolder(),
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    AWS_REGION: 'us-east-1',
    RUNNER_TEMP: temp,
    GITHUB_WORKSPACE: workspace,
    GITHUB_OUTPUT: outputs,
    GITHUB_RUN_ID: '123',
    FOLDER: 'clothes/images',
    PIPELINE,
    PIPELINE_FOLDER: 'clothes',
    BASE_REF: base,
    AGAINST: '',
    PULL: '7',
    STAGE: 'dev',
    LAPTOP: 'false',
    DROP_NAME: 'ci-123-1',
    ...settings,
  };
  const [code, log] = await new Promise<[number, string]>((resolve) => {
    const child = execFile(
      process.execPath,
      [path.join(ROOT, 'action', 'run-drop.ts')],
      { cwd: workspace, env },
      (_, said, errors) => resolve([child.exitCode ?? 1, said + errors]),
    );
  });
  const lines = readFileSync(outputs, 'utf8').trim().split('\n');
  const read = Object.fromEntries(lines.map((line) => line.split('=', 2) as [string, string]));
  return { code, log, outputs: read, comment: read['comment'] ? readFileSync(read['comment'], 'utf8') : '' };
}

const deployed = () => ({ AWS_ENDPOINT_URL: laptop.stack.endpoint, ...session });

test('a deployed stack judges a request by its base, and keeps nothing that acts', async () => {
  const { store } = laptop.application;
  const before = pipelineJson({ minAccuracy: 0.9 }, 'never');
  await laptop.givePipeline(PIPELINE, (config) => Object.assign(config, JSON.parse(before)));
  const config = await store.readText(bucketLayout.pipelineConfig(PIPELINE));
  const { code, log, outputs, comment } = await step(deployed());
  expect({ code, log }).toMatchObject({ code: 0 });
  expect({ ...outputs, log }).toMatchObject({ code: '3', pipeline: 'clothes-pr-7' });
  expect(comment.split('\n').slice(0, 6)).toEqual([
    "- ⚠ gate.minAccuracy 0.99 → 0.01 (not used: the base's 0.99 judges)",
    "- ⚠ gate.minInputs 8 → 1 (not used: the base's 8 judges)",
    "- ⚠ gate.confidence 0.95 → not set (not used: the base's 0.95 judges)",
    `- ⚠ endpoint.deploy "never" → "when-gate-passes" (not used: the base's "never" applies)`,
    "- ⚠ inputs of clothes/images differ (not used: the base's are dropped)",
    '',
  ]);
  expect(comment).toContain('### no verdict');
  expect(comment).toContain('8 of 8');
  const token = /^::stop-commands::(\S+)$/m.exec(log)?.[1];
  expect(log.trimEnd().endsWith(`\n::${token}::`)).toBe(true);
  // The deployed pipeline is as it was, and nothing serves.
  expect(await store.readText(bucketLayout.pipelineConfig(PIPELINE))).toBe(config);
  expect(await Array.fromAsync(laptop.application.endpoints.names('inferdrop'))).toEqual([]);
  const name = outputs['pipeline']!;
  // Not in step with this process, in which the stack runs.
  await promisify(execFile)(
    process.execPath,
    [path.join(ROOT, 'bin', 'inferdrop.mjs'), 'pipeline', 'delete', name, '--yes', '--stage', 'dev'],
    { cwd: workspace, env: { PATH: process.env['PATH'], AWS_REGION: 'us-east-1', ...deployed() } },
  );
  expect(await store.describe(bucketLayout.pipelineConfig(name))).toBeUndefined();
});

test.each([
  [
    { BASE_REF: '' },
    'with a role, pipeline-folder needs base-ref: the deployed pipeline is not to be changed',
  ],
  [{ PIPELINE_FOLDER: 'clothes/images' }, 'with a role, the base must have clothes/images/pipeline.json'],
  [{ BASE_REF: '--help' }, 'base-ref must be a commit or the name of a branch, is "--help"'],
  [{ PIPELINE: 'x'.repeat(60) }, 'which must be 1 to 64 of'],
])('with a role, %j is refused, and nothing is put', async (settings, words) => {
  const { outputs, log, comment } = await step({ ...deployed(), ...settings });
  expect(outputs['code']).toBe('1');
  expect(outputs['pipeline']).toBeUndefined();
  expect(log).toContain(words);
  expect(comment).toContain('### ❌ not judged');
});

test('the role writes no other pipeline, and no other drop', async () => {
  const { outputs, log } = await step({ ...deployed(), PIPELINE_FOLDER: '', FOLDER: 'clothes/images' });
  expect(outputs['code']).toBe('1');
  expect(log).toContain('not authorized to perform: s3:PutObject');
});

test("on the runner's own stack the base's model runs first, and is compared with", async () => {
  const { code, log, outputs, comment } = await step({ LAPTOP: 'true' });
  expect({ code, log }).toMatchObject({ code: 0 });
  expect(outputs).toMatchObject({ code: '3' });
  expect(outputs['pipeline']).toBeUndefined();
  expect(comment).toContain("not used: the base's 0.99 judges");
  expect(comment).toContain('Compared with clothes-pr-7/ci-123-1-base/000001');
});

test('a new pipeline judges itself there, and the comment says so', async () => {
  git('checkout', '-q', '--orphan', 'empty');
  git('rm', '-rfq', '--cached', '.');
  git('commit', '-q', '--allow-empty', '-m', 'empty');
  const { outputs, comment } = await step({ LAPTOP: 'true', BASE_REF: git('rev-parse', 'HEAD') });
  expect(outputs['code']).toBe('0');
  expect(comment).toContain('⚠ this pipeline.json judges itself: no base branch has one');
});
