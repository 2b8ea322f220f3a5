import type * as z from 'zod';
import { validationException } from '../kernel/aws-error.ts';
import { notEmulated } from '../kernel/known-error.ts';
import { constraintAt, toValidationMessage, valueAt } from '../service-model/finding.ts';

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
  const findings = parsed.error.issues.map((issue) =>
    constraintAt(issue.path, input, toConstraint(issue, valueAt(input, issue.path))),
  );
  throw validationException(toValidationMessage(findings));
}

function toConstraint(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined || value === null) return 'Member must not be null';
  switch (issue.code) {
    case 'too_big':
      return `Member must have value less than or equal to ${issue.maximum}`;
    case 'too_small':
      return `Member must have value greater than or equal to ${issue.minimum}`;
    case 'invalid_value':
      return `Member must satisfy enum value set: [${issue.values.map(String).join(', ')}]`;
    default:
      return issue.message;
  }
}
