import path from 'node:path';
import * as z from 'zod';
import { resource } from '../cloudformation/resource.ts';
import type { Site } from '../kernel/service.ts';
import { openDocuments } from '../storage/document-file.ts';
import { functionArn, parseFunctionReference } from './function-reference.ts';
import type { FunctionStore } from './function-store.ts';

const Properties = z.strictObject({
  FunctionName: z.string(),
  Action: z.string().regex(/^(lambda:\w+|\*)$/, 'must be an action of Lambda'),
  Principal: z.string(),
  SourceArn: z.string().optional(),
  SourceAccount: z.string().optional(),
});

const Permission = z.object({
  id: z.string(),
  /** With its qualifier, if it has one: each version has a policy of its own. */
  functionArn: z.string(),
  statement: z.record(z.string(), z.unknown()),
});

/**
 * Opens what is kept in `dir`: the principals that may invoke functions without a role's permission, by `AWS::Lambda::Permission`,
 * and the policies that they add up to.
 */
export function openFunctionPolicies({
  dir,
  site,
  store,
}: {
  readonly dir: string;
  readonly site: Site;
  readonly store: FunctionStore;
}) {
  const permissions = openDocuments(path.join(dir, 'permissions.json'), Permission);
  /** Policies by the function's ARN, kept because every request to an API asks. */
  const policies = new Map<string, string | null>();
  const wholeArn = (target: string): string => {
    const { name, qualifier } = parseFunctionReference(target);
    return `${functionArn(site, name)}${qualifier === '$LATEST' ? '' : `:${qualifier}`}`;
  };
  return {
    resources: resource('AWS::Lambda::Permission', {
      properties: Properties,
      apply: async (parsed, { logicalId, stackName }) => {
        store.record(parsed.FunctionName);
        const id = `${stackName}-${logicalId}`;
        const arn = wholeArn(parsed.FunctionName);
        policies.clear();
        permissions.set(id, { id, functionArn: arn, statement: toStatement(id, arn, parsed) });
        return { ref: id, attributes: { Id: id } };
      },
      remove: async (id) => {
        policies.clear();
        permissions.delete(id);
      },
    }),
    policyOn(arn: string): string | null | undefined {
      if (!store.has(arn)) return undefined;
      const known = policies.get(arn);
      if (known !== undefined) return known;
      const whole = wholeArn(arn);
      const Statement = [...permissions.values()]
        .filter((permission) => permission.functionArn === whole)
        .map(({ statement }) => statement);
      const policy =
        Statement.length === 0 ? null : JSON.stringify({ Version: '2012-10-17', Id: 'default', Statement });
      policies.set(arn, policy);
      return policy;
    },
  };
}

/** The statement that AddPermission writes into the policy. */
function toStatement(
  Sid: string,
  Resource: string,
  { Action, Principal, SourceArn, SourceAccount }: z.infer<typeof Properties>,
): Record<string, unknown> {
  const isService = Principal.includes('.amazonaws.com');
  const Condition = {
    ...(SourceArn === undefined ? {} : { ArnLike: { 'AWS:SourceArn': SourceArn } }),
    ...(SourceAccount === undefined ? {} : { StringEquals: { 'AWS:SourceAccount': SourceAccount } }),
  };
  return {
    Sid,
    Effect: 'Allow',
    Principal: Principal === '*' ? '*' : isService ? { Service: Principal } : { AWS: Principal },
    Action,
    Resource,
    ...(Object.keys(Condition).length === 0 ? {} : { Condition }),
  };
}
