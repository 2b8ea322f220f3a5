import * as z from 'zod';
import { AwsError } from '../gateway/aws-error.ts';

const OneOrMore = z.union([z.string(), z.array(z.string())]);
/** Operators that conditions may use here; any other would be ignored, and so allow too much. */
const Conditions = z.strictObject({
  StringEquals: z.record(z.string(), OneOrMore).optional(),
  StringNotEquals: z.record(z.string(), OneOrMore).optional(),
  StringLike: z.record(z.string(), OneOrMore).optional(),
  StringNotLike: z.record(z.string(), OneOrMore).optional(),
  ArnEquals: z.record(z.string(), OneOrMore).optional(),
  ArnLike: z.record(z.string(), OneOrMore).optional(),
  Bool: z.record(z.string(), z.union([OneOrMore, z.boolean()])).optional(),
  Null: z.record(z.string(), z.union([OneOrMore, z.boolean()])).optional(),
});

const Statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: OneOrMore,
  Resource: OneOrMore,
  Condition: Conditions.optional(),
});
export type Statement = z.infer<typeof Statement>;
export type Conditions = z.infer<typeof Conditions>;

/** An identity-based policy, as far as this stack enforces them. */
export const PolicyDocument = z.strictObject({
  Version: z.literal('2012-10-17'),
  Id: z.string().optional(),
  Statement: z.union([z.array(Statement), Statement]),
});
export type PolicyDocument = z.infer<typeof PolicyDocument>;

/** @throws {AwsError} `MalformedPolicyDocument` naming the policy and the field that the stack does not understand */
export function parsePolicy(name: string, document: unknown): PolicyDocument {
  const parsed = PolicyDocument.safeParse(document);
  if (parsed.success) return parsed.data;
  throw new AwsError(
    'MalformedPolicyDocument',
    `The local stack cannot enforce the policy ${name}: ${z.prettifyError(parsed.error)}`,
  );
}
