import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ResourceTypes } from '../cloudformation/resource-type.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type {
  Credentials,
  Permission,
  ResourcePolicyLookup,
  Roles,
  RoleSessions,
  ServiceAccess,
} from '../kernel/permission.ts';
import { queryService } from '../kernel/query-service.ts';
import type { Service, Site } from '../kernel/service.ts';
import { getRole } from './actions/get-role.ts';
import { simulatePrincipalPolicy } from './actions/simulate-principal-policy.ts';
import { decider, type Decision } from './decide.ts';
import { judge, type ResourceSays, toRefusal } from './judge.ts';
import { type Caller, isService } from './principal.ts';
import { circumstances, parseResourcePolicy, resourceDecider } from './resource-policy.ts';
import { iamResources } from './resources.ts';
import { openRoleStore } from './role-store.ts';
import { trusts, trustsAccount } from './trust-policy.ts';

export interface Iam {
  /** For the gateway: the owner of a caller's key. */
  readonly roles: Roles;
  readonly sessions: RoleSessions;
  readonly services: ServiceAccess;
  readonly people: AssumedRoles;
  readonly resources: ResourceTypes;
  readonly service: Service;
}

/** Roles as which people of the account act. */
export interface AssumedRoles {
  /** Undefined where the role is not there, or does not trust its account. */
  assume(roleArn: string, sessionName: string): Credentials | undefined;
  /** Undefined for a key of no role. */
  sessionOf(accessKeyId: string): { readonly roleArn: string; readonly name: string } | undefined;
}

interface Session {
  readonly roleArn: string;
  readonly name: string;
  readonly secret: string;
}

/** The policies of a role, and what limits them. */
interface RoleDecider {
  readonly own: (permission: Permission) => Decision;
  readonly boundary: (permission: Permission) => Decision;
}

/** Opens the roles kept in `dir`; their policies, and those of resources, are enforced on every call that comes this way. */
export function createIam(options: {
  readonly dir: string;
  readonly site: Site;
  /** The computer's own by default. */
  readonly clock?: Clock;
  /** No resource has a policy by default. */
  readonly policyOn?: ResourcePolicyLookup;
  /** Called with each refusal, since an answer to HEAD has no room for a reason; stderr by default. */
  readonly report?: (line: string) => void;
}): Iam {
  const { dir, site, clock = systemClock, policyOn = () => undefined } = options;
  const report = options.report ?? ((line: string): void => void process.stderr.write(`iam: ${line}\n`));
  const store = openRoleStore(dir);
  const seed = openSeed(path.join(dir, 'seed'));
  const sessions = new Map<string, Session>();
  const deciders = new Map<string, RoleDecider>();
  store.onChange(() => deciders.clear());
  /** By the policy's text. */
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
  const refusalOf = (caller: Caller, permissions: readonly Permission[]): string | null => {
    for (const permission of permissions) {
      const { own, boundary } = decisionsOn(caller, permission);
      const why = judge(permission, caller, own, resourceSays(caller, permission), boundary);
      if (why === null) continue;
      const refusal = toRefusal(site, caller, permission, why);
      report(isService(caller) ? `${refusal} (for ${caller.sourceArn})` : refusal);
      return refusal;
    }
    return null;
  };
  const { account } = site;

  const credentialsOf = (roleArn: string, sessionName: string): Credentials => {
    const digest = createHmac('sha256', seed).update(`${roleArn}\n${sessionName}`);
    const secret = digest.digest('base64url');
    const id = createHmac('sha256', secret).update('access key').digest('hex').slice(0, 16).toUpperCase();
    const accessKeyId = `ASIA${id}`;
    sessions.set(accessKeyId, { roleArn, name: sessionName, secret });
    store.remember(accessKeyId, { roleArn, sessionName });
    return { accessKeyId, secretAccessKey: secret };
  };
  for (const { roleArn, sessionName } of store.sessions()) credentialsOf(roleArn, sessionName);

  return {
    sessions: {
      credentialsOf,
      // Without a template, a call may name a role that was created elsewhere, or nowhere: its policies are unknown.
      refusal: (roleArn, sessionName, permissions) =>
        store.has(roleArn) ? refusalOf({ account, roleArn, sessionName }, permissions) : null,
    },
    services: {
      refusal: (caller, permissions) => refusalOf(caller, permissions),
      mayAssume(caller, roleArn) {
        const trust = store.trustOf(roleArn);
        return trust === undefined || trusts(trust, caller, account);
      },
    },
    roles: {
      secretOf: (accessKeyId) => sessions.get(accessKeyId)?.secret,
      refusal(accessKeyId, permissions) {
        const session = sessions.get(accessKeyId);
        if (session === undefined) return undefined;
        return refusalOf({ account, roleArn: session.roleArn, sessionName: session.name }, permissions);
      },
      ownerRefusal: (permissions) => refusalOf({ account, roleArn: undefined }, permissions),
    },
    people: {
      assume(roleArn, sessionName) {
        const trust = store.trustOf(roleArn);
        return trust && trustsAccount(trust, account) ? credentialsOf(roleArn, sessionName) : undefined;
      },
      sessionOf: (accessKeyId) => sessions.get(accessKeyId),
    },
    resources: iamResources({ store, site }),
    service: queryService({
      name: 'iam',
      apiVersion: '2010-05-08',
      xmlns: 'https://iam.amazonaws.com/doc/2010-05-08/',
      actions: [getRole(store, site), simulatePrincipalPolicy(store)],
    }),
  };
}

function openSeed(file: string): Buffer {
  if (!existsSync(file)) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, randomBytes(32), { mode: 0o600 });
  }
  return readFileSync(file);
}
