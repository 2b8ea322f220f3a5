import type * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';

/** @throws {AwsError} `ValidationError` naming each property that is not understood */
export function parseProperties<T>(
  type: string,
  logicalId: string,
  schema: z.ZodType<T>,
  properties: unknown,
): T {
  const result = schema.safeParse(properties);
  if (result.success) return result.data;
  const problems = result.error.issues.map(
    (issue) => `${[logicalId, ...issue.path].join('.')}: ${issue.message}`,
  );
  throw new AwsError('ValidationError', `${type}: ${problems.join('; ')}`);
}
