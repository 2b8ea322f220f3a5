import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import type { Permission } from '../../kernel/permission.ts';
import { BOOLEAN_KEYS } from '../condition-keys.ts';
import { decider, type Decision } from '../decide.ts';
import type { RoleStore } from '../role-store.ts';

const DECISIONS: Readonly<Record<Decision, string>> = {
  allowed: 'allowed',
  'explicit-deny': 'explicitDeny',
  'implicit-deny': 'implicitDeny',
};

/** `SimulatePrincipalPolicy` of a role: its own policies and its boundary, without policies of resources, in one page. */
export const simulatePrincipalPolicy = (store: RoleStore) =>
  action('SimulatePrincipalPolicy', {
    input: z.strictObject({
      PolicySourceArn: z.string(),
      ActionNames: z.array(z.string()).min(1),
      ResourceArns: z.array(z.string()).default(['*']),
      ContextEntries: z
        .array(
          z.strictObject({
            ContextKeyName: z.string(),
            ContextKeyType: z.enum(['string', 'boolean']),
            ContextKeyValues: z.array(z.string()).length(1),
          }),
        )
        .default([]),
    }),
    run: ({ PolicySourceArn, ActionNames, ResourceArns, ContextEntries }) => {
      if (!store.has(PolicySourceArn))
        throw new AwsError('NoSuchEntity', `The role with ARN ${PolicySourceArn} cannot be found.`, {
          statusCode: 404,
        });
      for (const { ContextKeyName, ContextKeyType } of ContextEntries) {
        const type = BOOLEAN_KEYS.has(ContextKeyName.toLowerCase()) ? 'boolean' : 'string';
        if (ContextKeyType !== type)
          throw new AwsError(
            'InvalidInput',
            `This stack compares ${ContextKeyName} as a ${type}: its ContextKeyType must be ${type}, is ${ContextKeyType}`,
          );
      }
      const own = decider(store.policiesOf(PolicySourceArn));
      const limit = store.boundaryOf(PolicySourceArn);
      const boundary = limit && decider([limit]);
      const decide = (permission: Permission): Decision => {
        const decision = own(permission);
        return decision === 'allowed' ? (boundary?.(permission) ?? decision) : decision;
      };
      const context = Object.fromEntries(
        ContextEntries.map(({ ContextKeyName, ContextKeyValues: [value = ''] }) => [ContextKeyName, value]),
      );
      return {
        EvaluationResults: ActionNames.flatMap((action) =>
          ResourceArns.map((resource) => ({
            EvalActionName: action,
            EvalResourceName: resource,
            EvalDecision: DECISIONS[decide({ action, resource, context })],
          })),
        ),
        IsTruncated: false,
      };
    },
  });
