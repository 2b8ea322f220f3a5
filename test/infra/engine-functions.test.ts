import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { packageApplication } from '../../scripts/package-application.ts';
import type { Engine } from '../../src/app/engine/engine.ts';
import type { EngineLogs } from '../../src/app/engine/engine-logs.ts';
import type { EngineName } from '../../src/transform/engine-settings.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const FUNCTIONS = path.join(ROOT, 'functions');

type Call = keyof Engine | keyof EngineLogs | 'prepare';

/** Calls of an engine, of its logs, or that get its model ready, which each function makes. */
const CALLS: Readonly<Record<string, readonly Call[]>> = {
  'prepare-model': ['prepare'],
  'start-transform': ['start', 'isRunning', 'stop'],
  'check-transform': ['look', 'fallback', 'stop'],
  'await-left-jobs': ['look'],
  'clean-up-run': ['isRunning', 'stop'],
  sweep: ['isRunning', 'stop'],
  'reconcile-outputs': ['failures'],
  'write-report': ['failures', 'runtimes'],
};

/** Actions that a role needs for each call. */
const ACTIONS: Readonly<Record<EngineName, Readonly<Record<Call, readonly string[]>>>> = {
  sagemaker: {
    prepare: ['sagemaker:CreateModel', 'sagemaker:DescribeModel', 'sagemaker:AddTags', 'iam:PassRole'],
    start: [
      'sagemaker:CreateTransformJob',
      'sagemaker:DescribeTransformJob',
      'sagemaker:AddTags',
      'sagemaker:ListTags',
    ],
    look: ['sagemaker:DescribeTransformJob'],
    fallback: [],
    isRunning: ['sagemaker:DescribeTransformJob'],
    stop: ['sagemaker:StopTransformJob'],
    all: ['logs:FilterLogEvents'],
    failures: ['logs:DescribeLogStreams', 'logs:FilterLogEvents'],
    runtimes: ['logs:DescribeLogStreams', 'logs:FilterLogEvents'],
  },
  lambda: {
    prepare: ['lambda:InvokeFunction'],
    start: ['states:StartExecution'],
    look: ['states:DescribeExecution', 's3:GetObject', 's3:ListBucket'],
    fallback: [],
    isRunning: ['states:DescribeExecution'],
    stop: ['states:DescribeExecution', 'states:StopExecution'],
    all: ['logs:FilterLogEvents'],
    failures: [],
    runtimes: ['s3:GetObject', 's3:ListBucket'],
  },
};

/** The file and all that it imports below functions/. */
function filesOf(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, imported = ''] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)) {
    const found = path.resolve(path.dirname(file), imported);
    if (found.startsWith(FUNCTIONS)) filesOf(found, seen);
  }
  return seen;
}

/** Variables that a file reads. */
const variablesOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/\b(?:readEnv|env)\(([^)]*)\)/g)].flatMap(([, names = '']) =>
    [...names.matchAll(/'(\w+)'/g)].map(([, name = '']) => name),
  );

const ENGINES = path.join(FUNCTIONS, 'runtime', 'engines.ts');
const STOPPERS = path.join(FUNCTIONS, 'runtime', 'stoppers.ts');
const PREPARERS = path.join(FUNCTIONS, 'runtime', 'preparers.ts');
const LOGS = path.join(FUNCTIONS, 'runtime', 'engine-logs.ts');
/** Functions that import a file, directly or not. */
const usersOf = (file: string): string[] =>
  readdirSync(FUNCTIONS)
    .filter((name) => name.endsWith('.ts') && filesOf(path.join(FUNCTIONS, name)).has(file))
    .map((name) => name.slice(0, -'.ts'.length));
const BUILDERS = [ENGINES, STOPPERS, PREPARERS].flatMap((file) =>
  usersOf(file).map((name) => [name, file] as const),
);
const READERS = usersOf(LOGS);

let resources: Record<string, { Type: string; Properties: any }>;
beforeAll(async () => {
  const { template } = await packageApplication(ROOT, 'dev');
  resources = JSON.parse(template).Resources;
});

const functionOf = (name: string) =>
  Object.values(resources).find(
    ({ Type, Properties }) =>
      Type === 'AWS::Lambda::Function' && Properties.FunctionName === `inferdrop-dev-${name}`,
  )!.Properties;

it('each function that builds engines or their logs says which calls it makes', () => {
  expect([...BUILDERS.map(([name]) => name), ...READERS].toSorted()).toEqual(Object.keys(CALLS).toSorted());
});

it.each(BUILDERS)('%s has every variable that building engines reads', (name, file) => {
  const given = Object.keys(functionOf(name).Environment.Variables);
  const read = [...filesOf(file)].flatMap(variablesOf);
  expect(read.length).toBeGreaterThan(0);
  expect(given).toEqual(expect.arrayContaining(read));
});

it.each([...BUILDERS.map(([name]) => name), ...READERS])(
  'the role of %s allows what it asks of every engine',
  (name) => {
    const [role = ''] = functionOf(name).Role['Fn::GetAtt'];
    const allowed = resources[role]!.Properties.Policies.flatMap(
      (policy: any) => policy.PolicyDocument.Statement,
    )
      .flatMap((statement: any) => statement['Fn::If']?.slice(1, 2) ?? [statement])
      .flatMap(({ Action }: any) => Action);
    const needed = Object.values(ACTIONS).flatMap((calls) => CALLS[name]!.flatMap((call) => calls[call]));
    expect(needed.length).toBeGreaterThan(0);
    expect(allowed).toEqual(expect.arrayContaining(needed));
  },
);
