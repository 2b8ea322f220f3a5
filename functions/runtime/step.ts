import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type * as z from 'zod';
import { withErrorNames } from '../../src/aws/aws-error.ts';
import type { Measurement } from '../../src/run/measurement.ts';
import { logged } from './logged.ts';
import { putMetrics } from './metrics.ts';
import { once } from './once.ts';
import { parse } from './parse.ts';

/** The signature of a handler that Lambda calls. */
export type Handler<E, O> = (event: E, context: Context) => Promise<O>;

/** A state of a state machine: a schema in, a use case, a schema out. */
export interface Step<I, O, S> {
  readonly input: z.ZodType<I>;
  readonly output: z.ZodType<O>;
  /** Called at the first invocation of an execution environment. */
  readonly services: () => S;
  readonly run: (input: I, services: S) => Promise<O>;
  /** The metrics of an invocation that succeeded; undefined where there is nothing to count. */
  readonly measure?: (input: I, output: O, services: S) => Promise<Measurement | undefined>;
}

/**
 * The handler of a step.
 *
 * @throws {Error} `InvalidStepInput` or `InvalidStepOutput` where a payload does not match its schema; else what the use case
 * throws, whose name Step Functions matches
 */
export function step<I, O, S>({ input, output, services, run, measure }: Step<I, O, S>): Handler<unknown, O> {
  const built = once(services);
  const base = async (event: unknown): Promise<O> => {
    const asked = parse('InvalidStepInput', input, event);
    const answer = parse('InvalidStepOutput', output, await withErrorNames(run(asked, built())));
    const measured = measure && (await withErrorNames(measure(asked, answer, built())));
    if (measured) putMetrics(measured);
    return answer;
  };
  return middy<unknown, O>(base).use(logged());
}
