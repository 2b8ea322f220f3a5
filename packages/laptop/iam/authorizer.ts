import type { Clock } from '../kernel/clock.ts';
import type { Permission, ResourcePolicyLookup } from '../kernel/permission.ts';
import type { Site } from '../kernel/service.ts';
import { decider, type Decision } from './decide.ts';
import { judge, type ResourceSays, toRefusal } from './judge.ts';
import { type Caller, isService } from './principal.ts';
import { circumstances, parseResourcePolicy, resourceDecider } from './resource-policy.ts';
import type { RoleStore } from './role-store.ts';

/** The policies of a role, and what limits them. */
interface RoleDecider {
  readonly own: (permission: Permission) => Decision;
  readonly boundary: (permission: Permission) => Decision;
}

/** A permission that a role used and had. */
export interface AllowedCall extends Pick<Permission, 'action' | 'resource'> {
  readonly roleArn: string;
  /** Condition keys of the call itself, without circumstances such as `aws:CurrentTime`. */
  readonly context: NonNullable<Permission['context']>;
}

interface AuthorizerOptions {
  readonly store: RoleStore;
  readonly site: Site;
  readonly clock: Clock;
  readonly policyOn: ResourcePolicyLookup;
  /** Called with each refusal. */
  readonly report: (line: string) => void;
  readonly onAllowed?: ((call: AllowedCall) => void) | undefined;
}

/** Makes the judge of callers: it says, in AWS's words, why one of the permissions is refused; null if all are allowed. */
export function createAuthorizer({
  store,
  site,
  clock,
  policyOn,
  report,
  onAllowed,
}: AuthorizerOptions): (caller: Caller, permissions: readonly Permission[]) => string | null {
  const deciders = new Map<string, RoleDecider>();
  store.onChange(() => deciders.clear());
  /** Deciders by the policy's text. */
  const resourceDeciders = new Map<string, ReturnType<typeof resourceDecider>>();

  const deciderOf = (roleArn: string): RoleDecider => {
    const known = deciders.get(roleArn);
    if (known) return known;
    const boundary = store.boundaryOf(roleArn);
    const made = {
      own: decider(store.policiesOf(roleArn)),
      boundary: boundary === undefined ? (): Decision => 'allowed' : decider([boundary]),
    };
    deciders.set(roleArn, made);
    return made;
  };
  const decisionsOn = (
    caller: Caller,
    permission: Permission,
  ): { readonly own: Decision; readonly boundary: Decision } => {
    if (isService(caller)) return { own: 'implicit-deny', boundary: 'allowed' };
    const { roleArn } = caller;
    if (roleArn === undefined) return { own: 'allowed', boundary: 'allowed' };
    const context = { ...circumstances(caller, site, clock.now()), ...permission.context };
    const { own, boundary } = deciderOf(roleArn);
    return { own: own({ ...permission, context }), boundary: boundary({ ...permission, context }) };
  };
  const resourceSays = (caller: Caller, permission: Permission): ResourceSays => {
    const text = policyOn(permission.resource);
    if (text === undefined) return 'resource unknown';
    if (text === null) return 'no policy';
    const decide =
      resourceDeciders.get(text) ??
      resourceDecider(parseResourcePolicy(`of ${permission.resource}`, text, 'MalformedPolicyDocument'));
    resourceDeciders.set(text, decide);
    return decide(caller, permission, site, clock.now());
  };
  return (caller, permissions) => {
    for (const permission of permissions) {
      const { own, boundary } = decisionsOn(caller, permission);
      const why = judge(permission, caller, own, resourceSays(caller, permission), boundary);
      if (why === null) {
        if (!isService(caller) && caller.roleArn !== undefined)
          onAllowed?.({ roleArn: caller.roleArn, context: {}, ...permission });
        continue;
      }
      const refusal = toRefusal(site, caller, permission, why);
      report(isService(caller) ? `${refusal} (for ${caller.sourceArn})` : refusal);
      return refusal;
    }
    return null;
  };
}
