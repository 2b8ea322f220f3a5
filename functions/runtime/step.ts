import middy, { type MiddlewareObj } from '@middy/core';
import type { Context } from 'aws-lambda';
import type * as z from 'zod';
import type { UseCase } from '../../src/app/use-case.ts';
import { withErrorNames } from '../../src/aws/calls/aws-error.ts';
import { logAbout, logger } from './logger.ts';
import { once } from './once.ts';
import { parse } from './parse.ts';
import { subjectOf } from './subject.ts';

/** The signature of a handler that Lambda calls. */
export type Handler<E, O> = (event: E, context: Context) => Promise<O>;

/**
 * The handler of a use case: its schema in, its schema out. `services` is called at the first invocation of an execution
 * environment with the milliseconds that the current invocation has left, and `after` when one succeeds, such as
 * `counted(measureRun)`.
 *
 * @throws {Error} `InvalidStepInput` or `InvalidStepOutput` if a payload doesn't match its schema; else the use case's own error,
 * which Step Functions matches by name
 */
export function step<I extends z.ZodType, O extends z.ZodType, S>(
  useCase: UseCase<I, O, S>,
  services: (leftMs: () => number) => S,
  after?: (input: z.infer<I>, output: z.infer<O>, services: S) => Promise<void>,
): Handler<unknown, z.infer<O>> {
  let leftMs = (): number => 0;
  const built = once(() => services(() => leftMs()));
  const base = async (event: unknown, context: Context): Promise<z.infer<O>> => {
    leftMs = () => context.getRemainingTimeInMillis();
    const input = parse('InvalidStepInput', useCase.input, event);
    const output = parse('InvalidStepOutput', useCase.output, await withErrorNames(useCase(input, built())));
    if (after) await withErrorNames(after(input, output, built()));
    return output;
  };
  return middy<unknown, z.infer<O>>(base).use(logged());
}

/** Middleware that logs the end of each invocation: its subject, its duration, and the name and message of its error. */
function logged(): MiddlewareObj {
  let startedAt = 0;
  return {
    before: ({ event }) => {
      startedAt = performance.now();
      logAbout(subjectOf(event));
    },
    after: () => logger.info('INVOCATION_SUCCEEDED', { durationMs: elapsed(startedAt) }),
    onError: ({ error }) =>
      logger.error('INVOCATION_FAILED', {
        durationMs: elapsed(startedAt),
        errorName: error?.name,
        errorMessage: error?.message,
        stack: error?.stack,
      }),
  };
}

function elapsed(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
