import { GetRoleCommand, IAMClient, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { isNamed, withErrorNames } from '../calls/aws-error.ts';

/** Calls that are simulated together: the same role, resource and context. */
interface RoleQuestion {
  readonly roleArn: string;
  readonly actions: readonly string[];
  readonly resource: string;
  /** Condition keys and their values, as the call has them; IAM compares a boolean only with a value that is declared as a boolean. */
  readonly context: Readonly<Record<string, string | boolean>>;
}

/** IAM's decisions on the policies of roles. */
export interface RolePermissions {
  /** The decision on each action: `allowed`, `implicitDeny` or `explicitDeny`. */
  simulate(question: RoleQuestion): Promise<ReadonlyMap<string, string>>;
  exists(roleName: string): Promise<boolean>;
}

let client: IAMClient | undefined;

/** IAM of the account that the environment names; the client is built on first use. */
export function rolePermissions(): RolePermissions {
  // IAM throttles simulations at a few a second.
  const iam = (): IAMClient => (client ??= new IAMClient({ maxAttempts: 8, retryMode: 'adaptive' }));
  return {
    async simulate({ roleArn, actions, resource, context }) {
      const answer = await withErrorNames(
        iam().send(
          new SimulatePrincipalPolicyCommand({
            PolicySourceArn: roleArn,
            ActionNames: [...actions],
            ResourceArns: [resource],
            ...(Object.keys(context).length > 0 && {
              ContextEntries: Object.entries(context).map(([ContextKeyName, value]) => ({
                ContextKeyName,
                ContextKeyType: typeof value === 'boolean' ? ('boolean' as const) : ('string' as const),
                ContextKeyValues: [String(value)],
              })),
            }),
          }),
        ),
      );
      return new Map(
        (answer.EvaluationResults ?? []).map(({ EvalActionName = '', EvalDecision = 'implicitDeny' }) => [
          EvalActionName,
          EvalDecision,
        ]),
      );
    },
    async exists(roleName) {
      try {
        await withErrorNames(iam().send(new GetRoleCommand({ RoleName: roleName })));
        return true;
      } catch (error) {
        if (isNamed(error, 'NoSuchEntity', 'NoSuchEntityException')) return false;
        throw error;
      }
    },
  };
}
