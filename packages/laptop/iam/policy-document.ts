import * as z from 'zod';
import { AwsError } from '../kernel/aws-error.ts';
import { readOperator } from './condition.ts';
import { laxKey, listKeys } from './condition-keys.ts';
import { checkGrammar } from './policy-grammar.ts';

/** One or several, as policies may write most things. */
export const OneOrMore = z.union([z.string(), z.array(z.string())]);
const Flag = z.union([z.string(), z.boolean(), z.number()]);

/** Operators with their keys and values; an unknown operator, or a value that it cannot compare, is refused. */
const Conditions = z
  .record(z.string(), z.record(z.string(), z.union([Flag, z.array(Flag)])))
  .superRefine((conditions, context) => {
    for (const [name, keys] of Object.entries(conditions)) {
      const known = readOperator(name);
      if (known === undefined) {
        context.addIssue({ code: 'custom', path: [name], message: `Invalid Condition type : ${name}` });
        continue;
      }
      const takes = known.operator?.takes ?? ((text: string) => /^(true|false)$/i.test(text));
      for (const [key, values] of Object.entries(keys))
        for (const value of [values].flat().map(String))
          if (!takes(value))
            context.addIssue({
              code: 'custom',
              path: [name, key],
              message: `${name} cannot compare "${value}"`,
            });
    }
  });

/** A list of statements; a policy may write a single statement without brackets. */
export function statementsOf<T>(statement: z.ZodType<T>) {
  return z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(statement));
}

/** Fields that every statement may have, whatever kind of policy it stands in. */
export const statementFields = {
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: OneOrMore.optional(),
  NotAction: OneOrMore.optional(),
  Condition: Conditions.optional(),
} as const;

/** The actions or resources, by name or by exception. */
export const resourceFields = { Resource: OneOrMore.optional(), NotResource: OneOrMore.optional() } as const;

/** Version of the policy language. It makes no difference here, since policy variables, which only the later one has, are refused. */
export const PolicyVersion = z.enum(['2008-10-17', '2012-10-17']).optional();

const Statement = z.strictObject({ ...statementFields, ...resourceFields });
export type Statement = z.infer<typeof Statement>;

const NO_PRINCIPAL = z.never('Policy document should not specify a principal.').optional();

/** An identity-based policy, as far as this stack enforces them. */
export const PolicyDocument = z.strictObject({
  Version: PolicyVersion,
  Id: z.string().optional(),
  Statement: statementsOf(Statement.extend({ Principal: NO_PRINCIPAL, NotPrincipal: NO_PRINCIPAL })),
});
export type PolicyDocument = z.infer<typeof PolicyDocument>;

/**
 * Reads the policy of a role.
 *
 * @throws {AwsError} `MalformedPolicyDocument`: in AWS's words if AWS refuses it too, else naming the part that this stack can't enforce
 */
export function parsePolicy(name: string, document: unknown): PolicyDocument {
  const policy = parseDocument('identity', PolicyDocument, name, document, 'MalformedPolicyDocument');
  for (const { Effect, Condition = {} } of policy.Statement) {
    const key = laxKey(Effect, Condition);
    if (key === undefined) continue;
    throw new AwsError(
      'MalformedPolicyDocument',
      `The local stack cannot enforce the policy ${name}: the condition key ${key} has no value here, and without it ` +
        `the statement would allow more than in AWS. It knows ${listKeys()}`,
    );
  }
  return policy;
}

/** @throws {AwsError} `code`, in AWS's words and with the place, if AWS refuses the document */
export function parseDocument<T>(
  kind: Parameters<typeof checkGrammar>[0],
  schema: z.ZodType<T>,
  name: string,
  document: unknown,
  code: string,
): T {
  const parsed = schema.safeParse(document);
  if (!parsed.success)
    throw new AwsError(code, `Syntax errors in policy. The policy ${name}: ${z.prettifyError(parsed.error)}`);
  const problem = checkGrammar(kind, document);
  if (problem !== undefined) throw new AwsError(code, `${problem} (the policy ${name})`);
  return parsed.data;
}
