import { createHash } from 'node:crypto';
import * as z from 'zod';
import { resource } from '../cloudformation/resource.ts';
import type { ResourceContext, ResourceTypes } from '../cloudformation/resource-type.ts';
import { AwsError, validationError } from '../kernel/aws-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Site } from '../kernel/service.ts';
import { parsePolicy } from './policy-document.ts';
import { policySize, roleIdOf, type RoleStore } from './role-store.ts';
import { parseTrustPolicy } from './trust-policy.ts';

const InlinePolicy = z.strictObject({ PolicyName: z.string(), PolicyDocument: z.unknown() });
const RoleProperties = z.strictObject({
  RoleName: z
    .string()
    .regex(/^[\w+=,.@-]{1,64}$/, 'must be 1 to 64 letters, digits and _+=,.@-')
    .optional(),
  Description: z.string().max(1000).optional(),
  Path: z.literal('/').optional(),
  AssumeRolePolicyDocument: z.unknown(),
  PermissionsBoundary: z.string().optional(),
  Policies: z.array(InlinePolicy).default([]),
  ManagedPolicyArns: z.array(z.string()).default([]),
  MaxSessionDuration: z.coerce.number().min(3600).max(43_200).optional(),
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

/** Characters without white space, by IAM's quotas: all inline policies of a role, one managed policy, one trust policy. */
const MAX_INLINE_POLICIES_LENGTH = 10_240;
const MAX_MANAGED_POLICY_LENGTH = 6144;
const MAX_TRUST_POLICY_LENGTH = 2048;
const MAX_MANAGED_POLICIES = 10;

interface Parts {
  readonly store: RoleStore;
  readonly site: Site;
  readonly clock: Clock;
}

/** Roles and policies out of templates. */
export function iamResources(parts: Parts): ResourceTypes {
  return { ...roles(parts), ...inlinePolicies(parts), ...managedPolicies(parts) };
}

function roles({ store, site, clock }: Parts): ResourceTypes {
  return resource('AWS::IAM::Role', {
    properties: RoleProperties,
    apply: async (parsed, context) => {
      const { RoleName, AssumeRolePolicyDocument, Policies, ManagedPolicyArns, PermissionsBoundary } = parsed;
      const name = context.physicalId ?? RoleName ?? generatedName(context);
      requireSize(
        ManagedPolicyArns.length,
        MAX_MANAGED_POLICIES,
        `Cannot exceed quota for PoliciesPerRole: ${MAX_MANAGED_POLICIES}`,
      );
      for (const policyArn of ManagedPolicyArns)
        requireManaged(store, 'ManagedPolicyArns', policyArn, context);
      if (PermissionsBoundary !== undefined)
        requireManaged(store, 'PermissionsBoundary', PermissionsBoundary, context);
      const arn = iamArn(site, `role/${name}`);
      const trust = parseTrustPolicy(
        `of ${context.logicalId}: AssumeRolePolicyDocument`,
        AssumeRolePolicyDocument,
      );
      requireSize(
        policySize(trust),
        MAX_TRUST_POLICY_LENGTH,
        `Cannot exceed quota for ACLSizePerRole: ${MAX_TRUST_POLICY_LENGTH}`,
      );
      const policies = Policies.map(({ PolicyName, PolicyDocument }) =>
        parsePolicy(PolicyName, PolicyDocument),
      );
      const size = policies.reduce((sum, policy) => sum + policySize(policy), 0);
      requireInlineSize(name, size);
      const createdAt = store.createdAt(arn) ?? new Date(clock.now()).toISOString();
      store.roles.put({
        arn,
        createdAt,
        policies,
        trust,
        managed: ManagedPolicyArns,
        boundary: PermissionsBoundary,
      });
      return { ref: name, attributes: { Arn: arn, RoleId: roleIdOf(name) } };
    },
    remove: async (name) => store.roles.remove(iamArn(site, `role/${name}`)),
  });
}

function inlinePolicies({ store, site }: Parts): ResourceTypes {
  return resource('AWS::IAM::Policy', {
    properties: PolicyProperties,
    apply: async ({ PolicyName, PolicyDocument, Roles }, context) => {
      const policy = parsePolicy(PolicyName, PolicyDocument);
      for (const role of Roles) {
        if (!store.has(iamArn(site, `role/${role}`)))
          throw new AwsError('NoSuchEntity', `The role with name ${role} cannot be found.`);
        const size = store.inlineSize(role, context.physicalId) + policySize(policy);
        requireInlineSize(role, size);
      }
      const id = context.physicalId ?? generatedName(context);
      store.attached.put({ id, roles: Roles, policy });
      return { ref: id, attributes: {} };
    },
    remove: async (id) => store.attached.remove(id),
  });
}

function managedPolicies({ store, site }: Parts): ResourceTypes {
  return resource('AWS::IAM::ManagedPolicy', {
    properties: ManagedPolicyProperties,
    apply: async (parsed, context) => {
      const name = parsed.ManagedPolicyName ?? generatedName(context);
      const policy = parsePolicy(name, parsed.PolicyDocument);
      requireSize(
        policySize(policy),
        MAX_MANAGED_POLICY_LENGTH,
        `Cannot exceed quota for PolicySize: ${MAX_MANAGED_POLICY_LENGTH}`,
      );
      const id = context.physicalId ?? iamArn(site, `policy/${name}`);
      store.attached.put({ id, roles: parsed.Roles, policy });
      return { ref: id, attributes: {} };
    },
    remove: async (arn) => store.attached.remove(arn),
  });
}

function requireManaged(
  store: RoleStore,
  property: string,
  policyArn: string,
  { logicalId }: ResourceContext,
): void {
  if (store.hasManaged(policyArn)) return;
  const isAmazons = policyArn.split(':')[4] === 'aws';
  throw isAmazons
    ? validationError(
        `${logicalId}: ${property} names ${policyArn}, and the local stack does not have its text. Write what the ` +
          'role needs as a policy of its own',
      )
    : new AwsError(
        'NoSuchEntity',
        `${logicalId}: ${property}: Policy ${policyArn} does not exist or is not attachable.`,
      );
}

function requireInlineSize(role: string, size: number): void {
  const message = `Maximum policy size of ${MAX_INLINE_POLICIES_LENGTH} bytes exceeded for role ${role}`;
  requireSize(size, MAX_INLINE_POLICIES_LENGTH, message);
}

/** @throws {AwsError} `LimitExceeded` */
function requireSize(size: number, largest: number, message: string): void {
  if (size > largest) throw new AwsError('LimitExceeded', `${message} (has ${size})`);
}

function generatedName({ stackName, logicalId }: ResourceContext): string {
  return `${stackName}-${logicalId}-${digest(`${stackName}/${logicalId}`)}`;
}

function iamArn({ partition, account }: Site, resource: string): string {
  return `arn:${partition}:iam::${account}:${resource}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
