import type * as z from 'zod';
import { memberPath } from '../../service-model/finding.ts';
import { NOT_EMULATED } from './fields.ts';

/** A problem of one field. */
export interface FieldProblem {
  /** Path such as `Retry[0].BackoffRate`; empty for the object itself. */
  readonly field: string;
  readonly message: string;
}

/** Objections of a schema to an object of the language, in Step Functions' words. */
export function schemaProblems(issues: readonly z.core.$ZodIssue[]): FieldProblem[] {
  return issues.flatMap((issue) => problemsOf(issue, []));
}

function problemsOf(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): FieldProblem[] {
  const path = [...above, ...issue.path];
  const at = (message: string): FieldProblem[] => [{ field: memberPath(path), message }];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        field: memberPath(path),
        message: NOT_EMULATED.has(key)
          ? `The local stack does not emulate ${key}`
          : `Field '${key}' is not supported`,
      }));
    case 'invalid_type': {
      const name = path.at(-1);
      return name !== undefined && /received undefined$/.test(issue.message)
        ? [
            {
              field: memberPath(path.slice(0, -1)),
              message: `These fields are required: [${String(name)}]`,
            },
          ]
        : at(issue.message);
    }
    case 'invalid_value':
      return at(`Value should be one of the following: [${issue.values.join(', ')}]`);
    case 'too_small':
      return at(
        issue.origin === 'array' || issue.origin === 'string'
          ? 'Value cannot be empty'
          : `Minimum value is ${issue.minimum}`,
      );
    case 'too_big':
      return at(
        issue.origin === 'string'
          ? `Value has a maximum length of ${issue.maximum}`
          : `Maximum value is ${issue.maximum}`,
      );
    case 'invalid_union': {
      // Of a number or an expression, the alternative that has the right type says more.
      const closest = issue.errors.find((errors) =>
        errors.every(({ code }) => code === 'too_small' || code === 'too_big'),
      );
      return closest
        ? closest.flatMap((inner) => problemsOf(inner, path))
        : at('must be a number or a JSONata expression {% … %}');
    }
    default:
      return at(issue.message);
  }
}
