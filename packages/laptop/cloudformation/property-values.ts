import * as z from 'zod';
import { validationError } from '../kernel/aws-error.ts';
import { constraintAt, toValidationMessage, valueAt } from '../service-model/finding.ts';

/** A number as templates hold it: CloudFormation takes "30" for 30, as parameters are strings. */
export const numberProperty = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+(\.\d+)?$/, 'must be a number')
    .transform(Number),
]);

/** A boolean as templates hold it: CloudFormation takes "true" for true. */
export const booleanProperty = z.union([
  z.boolean(),
  z.enum(['true', 'false']).transform((text) => text === 'true'),
]);

/** A JSON document that a template may hold as an object or as text; the result is text. */
export const jsonTextProperty = z.union([
  z.string(),
  z.record(z.string(), z.unknown()).transform((document) => JSON.stringify(document)),
]);

/** Key and value pairs, as `Tags`. */
export const tagsProperty = z.array(z.strictObject({ Key: z.string(), Value: z.string() }));

/**
 * Reads a resource's properties with a strict schema: a property the schema does not list is an error, since ignoring
 * it would promise behavior that this stack does not have.
 *
 * @throws {AwsError} `ValidationError` naming type, property, value and remedy
 */
export function parseProperties<T>(
  type: string,
  logicalId: string,
  schema: z.ZodType<T>,
  properties: Readonly<Record<string, unknown>>,
): T {
  const parsed = schema.safeParse(properties);
  if (parsed.success) return parsed.data;
  const constraints = parsed.error.issues.flatMap((issue) => {
    const text = constraintOf(issue);
    return text === undefined ? [] : [constraintAt(issue.path, properties, text)];
  });
  if (constraints.length === parsed.error.issues.length)
    throw validationError(toValidationMessage(constraints));
  const problems = parsed.error.issues.map((issue) => {
    const path = issue.path.map(String).join('.');
    if (issue.code === 'unrecognized_keys') {
      const names = issue.keys.map((key) => (path === '' ? key : `${path}.${key}`)).join(', ');
      return `property ${names} of ${type} is not understood by this stack; remove it, or deploy to AWS`;
    }
    return `property ${path} is ${JSON.stringify(valueAt(properties, issue.path))}: ${issue.message}`;
  });
  throw validationError(`Resource ${logicalId} (${type}): ${problems.join('; ')}`);
}

/** Ranges and lengths, as the services word them; undefined for other issues, and for those with their own wording. */
function constraintOf(issue: z.core.$ZodIssue): string | undefined {
  if ((issue.code !== 'too_big' && issue.code !== 'too_small') || !/^Too (big|small): /.test(issue.message))
    return undefined;
  const what = issue.origin === 'array' || issue.origin === 'string' ? 'length' : 'value';
  return issue.code === 'too_big'
    ? `Member must have ${what} less than or equal to ${issue.maximum}`
    : `Member must have ${what} greater than or equal to ${issue.minimum}`;
}
