import { type Clock, systemClock } from '../kernel/clock.ts';
import type {
  Credentials,
  ResourcePolicyLookup,
  Roles,
  RoleSessions,
  ServiceAccess,
} from '../kernel/permission.ts';
import { queryService } from '../kernel/query-service.ts';
import type { Site } from '../kernel/service.ts';
import { getRole } from './actions/get-role.ts';
import { simulatePrincipalPolicy } from './actions/simulate-principal-policy.ts';
import { type AllowedCall, createAuthorizer } from './authorizer.ts';
import { iamResources } from './resources.ts';
import { openRoleStore } from './role-store.ts';
import { openSessionBook } from './session-book.ts';
import { trusts, trustsAccount } from './trust-policy.ts';

/** IAM as the rest of the stack uses it, in the parts that are handed to gateway, services and CloudFormation. */
export type Iam = ReturnType<typeof createIam>;

/** Roles as which people of the account act. */
export interface AssumedRoles {
  /** Undefined if the role is not there, or does not trust its account. */
  assume(roleArn: string, sessionName: string): Credentials | undefined;
  /** Undefined for a key of no role. */
  sessionOf(accessKeyId: string): { readonly roleArn: string; readonly name: string } | undefined;
}

/** Opens the roles kept in `dir`. Their policies, and resource policies, are enforced on every call made through them. */
export function createIam(options: {
  readonly dir: string;
  readonly site: Site;
  /** The computer's own by default. */
  readonly clock?: Clock;
  /** No resource has a policy by default. */
  readonly policyOn?: ResourcePolicyLookup;
  /** Called with each refusal, since an answer to HEAD has no room for a reason; stderr by default. */
  readonly report?: (line: string) => void;
  /** Called with each permission that a role used and had. */
  readonly onAllowed?: ((call: AllowedCall) => void) | undefined;
}) {
  const { dir, site, clock = systemClock, policyOn = () => undefined, onAllowed } = options;
  const report = options.report ?? ((line: string): void => void process.stderr.write(`iam: ${line}\n`));
  const store = openRoleStore(dir);
  const sessions = openSessionBook(dir, store);
  const refusalOf = createAuthorizer({ store, site, clock, policyOn, report, onAllowed });
  const { account } = site;

  return {
    sessions: {
      credentialsOf: sessions.credentialsOf,
      // Without a template, a call may name a role that was created elsewhere, or nowhere: its policies are unknown.
      refusal: (roleArn, sessionName, permissions) =>
        store.has(roleArn) ? refusalOf({ account, roleArn, sessionName }, permissions) : null,
    } satisfies RoleSessions,
    services: {
      refusal: (caller, permissions) => refusalOf(caller, permissions),
      mayAssume(caller, roleArn) {
        const trust = store.trustOf(roleArn);
        return trust === undefined || trusts(trust, caller, account);
      },
    } satisfies ServiceAccess,
    /** For the gateway: the owner of a caller's key. */
    roles: {
      secretOf: (accessKeyId) => sessions.get(accessKeyId)?.secret,
      refusal(accessKeyId, permissions) {
        const session = sessions.get(accessKeyId);
        if (session === undefined) return undefined;
        return refusalOf({ account, roleArn: session.roleArn, sessionName: session.name }, permissions);
      },
      ownerRefusal: (permissions) => refusalOf({ account, roleArn: undefined }, permissions),
    } satisfies Roles,
    people: {
      assume(roleArn, sessionName) {
        const trust = store.trustOf(roleArn);
        return trust && trustsAccount(trust, account)
          ? sessions.credentialsOf(roleArn, sessionName)
          : undefined;
      },
      sessionOf: (accessKeyId) => sessions.get(accessKeyId),
    } satisfies AssumedRoles,
    resources: iamResources({ store, site, clock }),
    service: queryService({
      name: 'iam',
      apiVersion: '2010-05-08',
      xmlns: 'https://iam.amazonaws.com/doc/2010-05-08/',
      actions: [getRole(store, site), simulatePrincipalPolicy(store)],
    }),
  };
}
