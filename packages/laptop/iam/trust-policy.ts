import * as z from 'zod';
import { AwsError } from '../kernel/aws-error.ts';
import type { ServiceCaller } from '../kernel/permission.ts';
import { listKeys, TRUST_KEYS, unknownKey } from './condition-keys.ts';
import { contextOf, statementMatcher } from './decide.ts';
import { OneOrMore, parseDocument, PolicyVersion, statementFields, statementsOf } from './policy-document.ts';
import { SERVICE_NAME } from './principal.ts';

/** People and federated users cannot assume roles on one machine: statements about them are read and match no caller. */
const Principal = z.strictObject(
  { Service: OneOrMore.optional(), AWS: OneOrMore.optional(), Federated: OneOrMore.optional() },
  {
    error: ({ input }) =>
      input === '*' ? 'AssumeRolepolicy contained an invalid principal: "STAR":"*".' : undefined,
  },
);
const Statement = z.strictObject({ ...statementFields, Principal });

/** `AssumeRolePolicyDocument`: the principals that may act as a role. */
export const TrustPolicy = z.strictObject({
  Version: PolicyVersion,
  Id: z.string().optional(),
  Statement: statementsOf(Statement),
});
export type TrustPolicy = z.infer<typeof TrustPolicy>;

/** @throws {AwsError} `MalformedPolicyDocument`, for an invalid principal in AWS's words */
export function parseTrustPolicy(name: string, document: unknown): TrustPolicy {
  const policy = parseDocument('trust', TrustPolicy, name, document, 'MalformedPolicyDocument');
  for (const { Condition = {}, ...statement } of policy.Statement) {
    const services = servicesOf(statement.Principal);
    const wrong = services.find((service) => !SERVICE_NAME.test(service));
    if (wrong !== undefined)
      throw new AwsError('MalformedPolicyDocument', `Invalid principal in policy: "SERVICE":"${wrong}"`);
    const unknown = unknownKey(Condition, TRUST_KEYS);
    if (services.length > 0 && unknown !== undefined)
      throw new AwsError(
        'MalformedPolicyDocument',
        `The local stack cannot enforce the policy ${name}: the condition key ${unknown} has no value when a service ` +
          `assumes a role. It knows ${listKeys(TRUST_KEYS)}`,
      );
  }
  return policy;
}

/** Whether a service may act as the role. */
export function trusts(policy: TrustPolicy, { service, sourceArn }: ServiceCaller, account: string): boolean {
  const context = contextOf({ 'aws:SourceArn': sourceArn, 'aws:SourceAccount': account });
  const effects = [policy.Statement]
    .flat()
    .filter((statement) => {
      if (!servicesOf(statement.Principal).includes(service)) return false;
      const applies = statementMatcher({ ...statement, Resource: '*' });
      return applies({ action: 'sts:AssumeRole', resource: '*' }, context);
    })
    .map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
}

/** Whether the trust policy names the account itself, which lets every principal of the account that may call AssumeRole. */
export function trustsAccount(policy: TrustPolicy, account: string): boolean {
  const effects = policy.Statement.filter((statement) => {
    const listed = [statement.Principal.AWS ?? []].flat();
    const isAccount = (name: string): boolean =>
      name === '*' || name === account || name.endsWith(`:iam::${account}:root`);
    if (!listed.some(isAccount)) return false;
    const applies = statementMatcher({ ...statement, Resource: '*' });
    return applies({ action: 'sts:AssumeRole', resource: '*' }, contextOf({}));
  }).map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
}

function servicesOf(principal: z.infer<typeof Statement>['Principal']): string[] {
  return [principal.Service ?? []].flat();
}
