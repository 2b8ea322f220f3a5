import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { http } from '../../functions/runtime/http.ts';
import { step } from '../../functions/runtime/step.ts';
import { subjectOf } from '../../functions/runtime/subject.ts';
import { RequestProblem } from '../../src/api/problem-details.ts';
import { useCase } from '../../src/app/use-case.ts';
import { toExecutionName } from '../../src/run/execution-name.ts';
import { RunParts } from '../../src/run/run-id.ts';
import { CONTEXT } from '../support/function-environment.ts';

const EVENTS = path.resolve(import.meta.dirname, '..', '..', 'events');
const readEvent = (file: string): any => JSON.parse(readFileSync(path.join(EVENTS, file), 'utf8'));

afterEach(() => vi.restoreAllMocks());

/** The lines of one invocation. */
async function linesOf(invoke: () => Promise<unknown>): Promise<any[]> {
  const lines: unknown[] = [];
  for (const method of ['info', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((line) => void lines.push(line));
  await invoke().catch(() => undefined);
  return lines;
}

const stepThat = (run: () => Promise<Record<string, never>>) =>
  step(useCase({ input: z.looseObject({}), output: z.object({}) })(run), () => ({}));
const failing = stepThat(async () => {
  throw new Error('the disk is full');
});

it('each line of a step names run, execution, attempt and job', async () => {
  const event = readEvent('check-training.running.json');
  const [line] = await linesOf(() => failing(event, CONTEXT));
  expect(line).toMatchObject({
    code: 'INVOCATION_FAILED',
    run: event.run,
    pipeline: 'clothes',
    execution: toExecutionName(RunParts.parse(event.run)),
    attempt: event.attempt,
    job: event.jobName,
    errorMessage: 'the disk is full',
  });
});

it('each line of a shard names its number, and a line of the next event nothing of the one before', async () => {
  const succeeding = stepThat(async () => ({}));
  const lines = await linesOf(async () => {
    await succeeding(readEvent('fold-predictions.shard.json'), CONTEXT);
    await succeeding(readEvent('sweep.daily.json'), CONTEXT);
  });
  expect(lines).toEqual([
    {
      code: 'INVOCATION_SUCCEEDED',
      durationMs: expect.any(Number),
      run: 'clothes/monday/000001',
      pipeline: 'clothes',
      execution: toExecutionName(RunParts.parse('clothes/monday/000001')),
      shard: 0,
    },
    { code: 'INVOCATION_SUCCEEDED', durationMs: expect.any(Number) },
  ]);
});

it('a request of the API is logged with its pipeline and its id in the access log, and with no other text of its path', async () => {
  const refusing = http(
    async () => {
      throw new RequestProblem('unknown-pipeline', 'no such pipeline');
    },
    () => ({}),
  );
  const request = (pipeline: string) => ({
    version: '2.0',
    rawPath: `/predict/${pipeline}`,
    routeKey: 'POST /predict/{pipeline}',
    pathParameters: { pipeline },
    requestContext: { requestId: 'JKJaXmPLvHcESHA=' },
  });
  const lines = await linesOf(async () => {
    await refusing(request('clothes'), CONTEXT);
    await refusing(request('a secret text'), CONTEXT);
  });
  expect(lines).toEqual([
    expect.objectContaining({ pipeline: 'clothes', apiRequest: 'JKJaXmPLvHcESHA=' }),
    expect.not.objectContaining({ pipeline: expect.anything() }),
  ]);
});

/** Events that are about many drops or endpoints, or about the account. */
const OF_MANY = /^(accept-drop|sweep|sweep-endpoints|canary|api|api-start)\./;

it.each(readdirSync(EVENTS).filter((file) => !OF_MANY.test(file)))('%s says what it is about', (file) => {
  const subject = subjectOf(readEvent(file));
  expect(subject.pipeline ?? subject.endpoint).toBeDefined();
  if (!/^(predict|check-endpoint|test-endpoint|notify-endpoint)\./.test(file))
    expect(subject.execution).toBeDefined();
});

it.each([null, 'text', [1], { run: { a: 1 }, attempt: 'x', detail: 7 }, { detail: { input: '{' } }])(
  'an event %j that is none of these has no names',
  (event) => expect(subjectOf(event)).toEqual({}),
);
