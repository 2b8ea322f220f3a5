import type * as z from 'zod';
import { validationException } from '../kernel/aws-error.ts';
import { notEmulated } from '../kernel/known-error.ts';

/**
 * Parses an action's input; a refusal has the form that AWS gives it:
 * `1 validation error detected: Value 'x' at 'transformJobName' failed to satisfy constraint: Member must …`.
 *
 * @throws {AwsError} `ValidationException`
 * @throws {z.ZodError} for members that are not emulated, which the gateway words
 */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  if (notEmulated(parsed.error) !== undefined) throw parsed.error;
  const texts = parsed.error.issues.map((issue) => {
    const at = issue.path
      .map((part) => (typeof part === 'string' ? lowerFirst(part) : `${Number(part) + 1}.member`))
      .join('.');
    const value = valueAt(input, issue.path);
    const shown =
      value === undefined || value === null
        ? 'null'
        : `'${typeof value === 'object' ? JSON.stringify(value) : String(value)}'`;
    return `Value ${shown} at '${at}' failed to satisfy constraint: ${toConstraint(issue, value)}`;
  });
  throw validationException(
    `${texts.length} validation error${texts.length === 1 ? '' : 's'} detected: ${texts.join('; ')}`,
  );
}

function toConstraint(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined || value === null) return 'Member must not be null';
  switch (issue.code) {
    case 'too_big':
      return issue.origin === 'number' || issue.origin === 'int'
        ? `Member must have value less than or equal to ${issue.maximum}`
        : `Member must have length less than or equal to ${issue.maximum}`;
    case 'too_small':
      return issue.origin === 'number' || issue.origin === 'int'
        ? `Member must have value greater than or equal to ${issue.minimum}`
        : `Member must have length greater than or equal to ${issue.minimum}`;
    case 'invalid_format':
      return `Member must satisfy regular expression pattern: ${(issue.pattern ?? '').replace(/^\/\^?|\$?\/[a-z]*$/g, '')}`;
    case 'invalid_value':
      return `Member must satisfy enum value set: [${issue.values.map(String).join(', ')}]`;
    default:
      return issue.message;
  }
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, part);
  }
  return value;
}
