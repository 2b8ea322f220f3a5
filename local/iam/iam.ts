import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ResourceTypes } from '../cloudformation/resource-type.ts';
import type { Credentials, Permission, Roles, RoleSessions } from '../gateway/permission.ts';
import type { Site } from '../gateway/service.ts';
import type { Decision } from './decide.ts';
import { decider } from './decide.ts';
import { iamResources } from './resources.ts';
import { openRoleStore } from './role-store.ts';

export interface Iam {
  /** For the gateway: whose key a caller signs with. */
  readonly roles: Roles;
  readonly sessions: RoleSessions;
  readonly resources: ResourceTypes;
}

interface Session {
  readonly roleArn: string;
  readonly name: string;
  readonly secret: string;
}

/** Opens the roles kept in `dir`; their policies are enforced on every call that is signed as one of their sessions. */
export function createIam(options: {
  readonly dir: string;
  readonly site: Site;
  /** Told of each refusal, since an answer to HEAD has no room for a reason; stderr by default. */
  readonly report?: (line: string) => void;
}): Iam {
  const { dir, site } = options;
  const report = options.report ?? ((line: string): void => void process.stderr.write(`iam: ${line}\n`));
  const store = openRoleStore(dir);
  const seed = openSeed(path.join(dir, 'seed'));
  const sessions = new Map<string, Session>();
  const deciders = new Map<string, (permission: Permission) => Decision>();
  store.onChange(() => deciders.clear());

  const decide = (roleArn: string, permission: Permission): Decision => {
    const found = deciders.get(roleArn) ?? decider(store.policiesOf(roleArn));
    deciders.set(roleArn, found);
    return found(permission);
  };
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

  const refusalOf = (roleArn: string, name: string, permissions: readonly Permission[]): string | null => {
    for (const permission of permissions) {
      const decision = decide(roleArn, permission);
      if (decision === 'allowed') continue;
      const refusal = toRefusal(site, { roleArn, name }, permission, decision);
      report(refusal);
      return refusal;
    }
    return null;
  };

  return {
    sessions: {
      credentialsOf,
      // Whoever works without a template names a role that was made elsewhere, or nowhere: nothing is known of its policies.
      refusal: (roleArn, name, permissions) =>
        store.has(roleArn) ? refusalOf(roleArn, name, permissions) : null,
    },
    roles: {
      secretOf: (accessKeyId) => sessions.get(accessKeyId)?.secret,
      refusal(accessKeyId, permissions) {
        const session = sessions.get(accessKeyId);
        return session && refusalOf(session.roleArn, session.name, permissions);
      },
    },
    resources: iamResources({ store, site }),
  };
}

/** In AWS's own words. */
function toRefusal(
  { partition, account }: Site,
  { roleArn, name }: Pick<Session, 'roleArn' | 'name'>,
  { action, resource }: Permission,
  decision: Decision,
): string {
  const role = roleArn.split('/').at(-1) ?? '';
  const user = `arn:${partition}:sts::${account}:assumed-role/${role}/${name}`;
  const why =
    decision === 'explicit-deny'
      ? 'with an explicit deny in an identity-based policy'
      : `because no identity-based policy allows the ${action} action`;
  return `User: ${user} is not authorized to perform: ${action} on resource: ${resource} ${why}`;
}

function openSeed(file: string): Buffer {
  if (!existsSync(file)) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, randomBytes(32), { mode: 0o600 });
  }
  return readFileSync(file);
}
