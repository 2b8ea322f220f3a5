import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

/** Names that no code of ours gives, and who does. */
const FOREIGN: Readonly<Record<string, string>> = {
  'Sandbox.Timedout': 'Lambda: the function ran into its time-out',
  'Runtime.ExitError': 'Lambda: the process of the function ended, as under a signal',
  SlowDown: 'S3: too many requests for a prefix (503)',
  RequestTimeout: 'S3: a body came too slowly (400)',
  TimeoutError: 'AWS SDK for JavaScript: its HTTP handler’s time-outs and broken connections',
};

/** Every name that a step can throw. `retried`: a state machine asks again, because the condition passes. */
const THROWN: Readonly<Record<string, 'retried' | 'final'>> = {
  Throttled: 'retried',
  InternalError: 'retried',
  ServiceUnavailable: 'retried',
  NetworkingError: 'retried',
  TransformThrottled: 'retried',
  ResourceLimitExceeded: 'retried',
  MessageBeingSent: 'retried',

  AccessDenied: 'final',
  BaselineMissing: 'final',
  ClassCountMismatch: 'final',
  EndpointKindDiffers: 'final',
  EndpointNameTaken: 'final',
  EndpointNotOurs: 'final',
  EndpointNotPlanned: 'final',
  ExecutionOver: 'final',
  GateNotPassed: 'final',
  IncompleteAnswer: 'final',
  InstanceCapacity: 'final',
  InvalidStepInput: 'final',
  InvalidStepOutput: 'final',
  JobNameTaken: 'final',
  LabelFileUnreadable: 'final',
  MissingConfiguration: 'final',
  ModelChanged: 'final',
  ModelNameTaken: 'final',
  ModelRefused: 'final',
  NoSuchKey: 'final',
  NotFound: 'final',
  NothingPredicted: 'final',
  ObjectTooLarge: 'final',
  OutputLayoutUnexpected: 'final',
  PilotFailed: 'final',
  PlanRefused: 'final',
  RunFileMissing: 'final',
  RunNameInvalid: 'final',
  SliceMissing: 'final',
  TallyMissing: 'final',
  TooManyLabels: 'final',
  TransformJobMissing: 'final',
};

/** Names that no state machine meets: SQS brings the message back, a person reads it, or a caller turns it into a problem. */
const ELSEWHERE = new Set([
  'EndpointMissing',
  'ExecutionTooSlow',
  'GenerationUnsettled',
  'InvalidHttpEvent',
  'InvocationAborted',
  'ModelError',
  'ModelNotReady',
  'NothingToRerun',
  'OutputError',
  'ReplayRefused',
  'RequestProblem',
  'ResourceInUse',
  'ResourceMissing',
  'RunEnded',
  'RunUnknown',
  'StillRunning',
  'TarDamaged',
  'TestJobTooSlow',
  'VariantUnknown',
  'VerificationInterrupted',
]);

const sources = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('cli'))
    .map((file) => readFileSync(path.join(ROOT, folder, file), 'utf8'));

/** Error classes, `{ name: '…' }` of an assigned error, and the first argument of functions that make one. */
function thrownNames(text: string): string[] {
  const isErrorMaker = /override readonly name =|error\.name =|Object\.assign\(|namedError\(|COMMON_NAMES/;
  if (!isErrorMaker.test(text))
    return [...text.matchAll(/parse\('(Invalid\w+)'/g)].map(([, name = '']) => name);
  return [
    ...text.matchAll(/(?:\breadonly name|error\.name) = '([A-Z]\w+)'/g),
    ...text.matchAll(/Object\.assign\([^;]*?\bname: '([A-Z]\w+)'/g),
    ...text.matchAll(/(?:namedError|refusal|parse)\(\s*'([A-Z]\w+)'/g),
    ...text.matchAll(/^ {2}\w+: '([A-Z]\w+)',$/gm),
    ...text.matchAll(/return (?:status \S+ \d+ \? )?'([A-Z]\w+)'/g),
  ].map(([, name = '']) => name);
}

/** Every `ErrorEquals` of a state machine's retries, Distributed Map children included. */
function retriedNames(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(retriedNames);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === 'Retry' ? child.flatMap((retry: any) => retry.ErrorEquals) : retriedNames(child),
  );
}

function machines(): unknown[] {
  const folder = path.join(ROOT, 'statemachines');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.asl.yml'))
    .map((file) => parse(readFileSync(path.join(folder, file), 'utf8')));
}

const thrown = new Set([...sources('src'), ...sources('functions')].flatMap(thrownNames));
const retried = new Set(machines().flatMap(retriedNames));

it('a state machine retries only names that somebody throws', () => {
  const unknown = [...retried].filter(
    (name) => !/^(States|Lambda|StepFunctions)\./.test(name) && !(name in FOREIGN) && !thrown.has(name),
  );
  expect(unknown).toEqual([]);
});

/** The retriers of Lambda's own errors, which every task has alike. */
function lambdaRetriers(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(lambdaRetriers);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === 'Retry'
      ? child
          .filter((retry: any) => retry.ErrorEquals[0].startsWith('Lambda.'))
          .map((retry: unknown) => JSON.stringify(retry))
      : lambdaRetriers(child),
  );
}

it('all machines try again alike', () => {
  expect(new Set(machines().flatMap(lambdaRetriers)).size).toBe(2);
});

it('what passes is retried, and what does not is not', () => {
  for (const [name, fate] of Object.entries(THROWN)) {
    expect([name, retried.has(name)]).toEqual([name, fate === 'retried']);
  }
});

it('every name that the code throws has been decided about, and every decision is about a name it throws', () => {
  const decided = new Set([...Object.keys(THROWN), ...ELSEWHERE]);
  expect([...thrown].filter((name) => !decided.has(name)).sort()).toEqual([]);
  expect([...decided].filter((name) => !thrown.has(name)).sort()).toEqual([]);
});
