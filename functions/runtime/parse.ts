import type * as z from 'zod';
import { Condition, type ConditionName } from '../../src/problem/conditions.ts';

/** Parses a payload; all defects are in one message, under an error name that machines match. */
export function parse<S extends z.ZodType>(errorName: ConditionName, schema: S, value: unknown): z.infer<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Condition(
    errorName,
    parsed.error.issues
      .map((issue) => `${issue.path.map(String).join('.') || 'payload'}: ${issue.message}`)
      .join('; '),
  );
}
