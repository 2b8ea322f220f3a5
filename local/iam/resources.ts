import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { AppliedResource, ResourceContext, ResourceTypes } from '../cloudformation/resource-type.ts';
import { AwsError } from '../gateway/aws-error.ts';
import type { Site } from '../gateway/service.ts';
import { parsePolicy } from './policy-document.ts';
import type { RoleStore } from './role-store.ts';
import { parseTrustPolicy } from './trust-policy.ts';

const InlinePolicy = z.strictObject({ PolicyName: z.string(), PolicyDocument: z.unknown() });
const RoleProperties = z.strictObject({
  RoleName: z.string().optional(),
  Description: z.string().optional(),
  Path: z.literal('/').optional(),
  AssumeRolePolicyDocument: z.unknown(),
  Policies: z.array(InlinePolicy).default([]),
  ManagedPolicyArns: z.array(z.string()).default([]),
  MaxSessionDuration: z.coerce.number().optional(),
  Tags: z.unknown().optional(),
});
const PolicyProperties = z.strictObject({
  PolicyName: z.string(),
  PolicyDocument: z.unknown(),
  Roles: z.array(z.string()).min(1),
});
const ManagedPolicyProperties = z.strictObject({
  ManagedPolicyName: z.string().optional(),
  Description: z.string().optional(),
  Path: z.literal('/').optional(),
  PolicyDocument: z.unknown(),
  Roles: z.array(z.string()).default([]),
});

/** Roles and policies out of templates. */
export function iamResources({
  store,
  site,
}: {
  readonly store: RoleStore;
  readonly site: Site;
}): ResourceTypes {
  return {
    'AWS::IAM::Role': {
      apply: async (properties, context) => {
        const { RoleName, AssumeRolePolicyDocument, Policies, ManagedPolicyArns } = parse(
          RoleProperties,
          properties,
          context,
        );
        const name = context.physicalId ?? RoleName ?? generatedName(context);
        const [foreign] = ManagedPolicyArns;
        if (foreign !== undefined)
          throw new AwsError(
            'ValidationError',
            `${context.logicalId}: ManagedPolicyArns must be empty on the local stack, has ${foreign}: it does not have that policy's text. Write what the role needs as a policy of its own`,
          );
        const arn = iamArn(site, `role/${name}`);
        store.roles.put({
          arn,
          policies: Policies.map(({ PolicyName, PolicyDocument }) => parsePolicy(PolicyName, PolicyDocument)),
          trust: parseTrustPolicy(
            `of ${context.logicalId}: AssumeRolePolicyDocument`,
            AssumeRolePolicyDocument,
          ),
        });
        return { ref: name, attributes: { Arn: arn, RoleId: `AROA${digest(name).toUpperCase()}` } };
      },
      remove: async (name) => store.roles.remove(iamArn(site, `role/${name}`)),
    },
    'AWS::IAM::Policy': {
      apply: async (properties, context) => {
        const { PolicyName, PolicyDocument, Roles } = parse(PolicyProperties, properties, context);
        return attach(context.physicalId ?? generatedName(context), {
          roles: Roles,
          policy: parsePolicy(PolicyName, PolicyDocument),
        });
      },
      remove: async (id) => store.attached.remove(id),
    },
    'AWS::IAM::ManagedPolicy': {
      apply: async (properties, context) => {
        const parsed = parse(ManagedPolicyProperties, properties, context);
        const name = parsed.ManagedPolicyName ?? generatedName(context);
        return attach(context.physicalId ?? iamArn(site, `policy/${name}`), {
          roles: parsed.Roles,
          policy: parsePolicy(name, parsed.PolicyDocument),
        });
      },
      remove: async (arn) => store.attached.remove(arn),
    },
  };

  function attach(
    id: string,
    { roles, policy }: { readonly roles: string[]; readonly policy: ReturnType<typeof parsePolicy> },
  ): AppliedResource {
    store.attached.put({ id, roles, policy });
    return { ref: id, attributes: {} };
  }
}

function parse<T>(schema: z.ZodType<T>, properties: unknown, { logicalId }: ResourceContext): T {
  const parsed = schema.safeParse(properties);
  if (parsed.success) return parsed.data;
  throw new AwsError('ValidationError', `${logicalId}: ${z.prettifyError(parsed.error)}`);
}

function generatedName({ stackName, logicalId }: ResourceContext): string {
  return `${stackName}-${logicalId}-${digest(`${stackName}/${logicalId}`).slice(0, 12)}`;
}

function iamArn({ partition, account }: Site, resource: string): string {
  return `arn:${partition}:iam::${account}:${resource}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
