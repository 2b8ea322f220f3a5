import * as z from 'zod';
import { AwsError } from '../gateway/aws-error.ts';

/** One or several, as policies may write most things. */
export const OneOrMore = z.union([z.string(), z.array(z.string())]);
const Flags = z.record(z.string(), z.union([OneOrMore, z.boolean(), z.array(z.boolean())]));
const Texts = z.record(z.string(), OneOrMore);

/** Operators that conditions may use here; any other would be ignored, and so allow too much. */
export const Conditions = z.strictObject({
  StringEquals: Texts.optional(),
  StringNotEquals: Texts.optional(),
  StringLike: Texts.optional(),
  StringNotLike: Texts.optional(),
  ArnEquals: Texts.optional(),
  ArnLike: Texts.optional(),
  ArnNotEquals: Texts.optional(),
  ArnNotLike: Texts.optional(),
  Bool: Flags.optional(),
  Null: Flags.optional(),
});
export type Conditions = z.infer<typeof Conditions>;

/** A list of statements, where policies may write a single one without its brackets. */
export function statementsOf<T>(statement: z.ZodType<T>) {
  return z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(statement));
}

/** What every statement may have, whatever kind of policy it stands in. */
export const statementFields = {
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: OneOrMore,
  Condition: Conditions.optional(),
} as const;

const Statement = z.strictObject({ ...statementFields, Resource: OneOrMore });
export type Statement = z.infer<typeof Statement>;

/** An identity-based policy, as far as this stack enforces them. */
export const PolicyDocument = z.strictObject({
  Version: z.literal('2012-10-17'),
  Id: z.string().optional(),
  Statement: statementsOf(Statement),
});
export type PolicyDocument = z.infer<typeof PolicyDocument>;

/** @throws {AwsError} `MalformedPolicyDocument` naming the policy and the field that the stack does not understand */
export function parsePolicy(name: string, document: unknown): PolicyDocument {
  return parseDocument(PolicyDocument, name, document, 'MalformedPolicyDocument');
}

/** @throws {AwsError} `code`, naming the policy and the field that the stack does not understand */
export function parseDocument<T>(schema: z.ZodType<T>, name: string, document: unknown, code: string): T {
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  throw new AwsError(
    code,
    `The local stack cannot enforce the policy ${name}: ${z.prettifyError(parsed.error)}`,
  );
}
