import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type * as z from 'zod';
import { withErrorNames } from '../../src/aws/aws-error.ts';
import { Condition, type ConditionName } from '../../src/problem/conditions.ts';
import { logged } from './logged.ts';
import { once } from './once.ts';

/** The signature of a handler that Lambda calls. */
export type Handler<E, O> = (event: E, context: Context) => Promise<O>;

/** A state of a state machine: a schema in, a use case, a schema out. */
export interface Step<I, O, S> {
  readonly input: z.ZodType<I>;
  readonly output: z.ZodType<O>;
  /** Called at the first invocation of an execution environment. */
  readonly services: () => S;
  readonly run: (input: I, services: S) => Promise<O>;
}

/**
 * The handler of a step.
 *
 * @throws {Error} `InvalidStepInput` or `InvalidStepOutput` where a payload does not match its schema; else what the use case
 * throws, whose name Step Functions matches
 */
export function step<I, O, S>({ input, output, services, run }: Step<I, O, S>): Handler<unknown, O> {
  const built = once(services);
  const base = async (event: unknown): Promise<O> => {
    const result = await withErrorNames(run(parse('InvalidStepInput', input, event), built()));
    return parse('InvalidStepOutput', output, result);
  };
  return middy<unknown, O>(base).use(logged());
}

/** Parses a payload; all defects are in one message, under an error name that machines match. */
export function parse<T>(errorName: ConditionName, schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Condition(
    errorName,
    parsed.error.issues
      .map((issue) => `${issue.path.map(String).join('.') || 'payload'}: ${issue.message}`)
      .join('; '),
  );
}
