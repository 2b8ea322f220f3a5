import path from 'node:path';
import * as z from 'zod';
import type { Documents } from '../storage/document-file.ts';
import { openDocuments } from '../storage/document-file.ts';
import { PolicyDocument } from './policy-document.ts';
import { TrustPolicy } from './trust-policy.ts';

const Role = z.object({
  arn: z.string(),
  policies: z.array(PolicyDocument),
  /** Absent from what an earlier release stored. */
  trust: TrustPolicy.optional(),
});
/** A policy of its own, attached to roles by name. */
const Attached = z.object({ id: z.string(), roles: z.array(z.string()), policy: PolicyDocument });
const Session = z.object({ roleArn: z.string(), sessionName: z.string() });

export interface RoleStore {
  readonly roles: { put(role: z.infer<typeof Role>): void; remove(arn: string): void };
  readonly attached: { put(policy: z.infer<typeof Attached>): void; remove(id: string): void };
  has(roleArn: string): boolean;
  /** Undefined where nothing is known of it. */
  trustOf(roleArn: string): TrustPolicy | undefined;
  /** Inline and attached ones; none for a role that is not there. */
  policiesOf(roleArn: string): readonly PolicyDocument[];
  sessions(): readonly z.infer<typeof Session>[];
  remember(accessKeyId: string, session: z.infer<typeof Session>): void;
  onChange(listener: () => void): void;
}

/** Opens the roles, policies and sessions kept in `dir`. */
export function openRoleStore(dir: string): RoleStore {
  const roles = openDocuments(path.join(dir, 'roles.json'), Role);
  const attached = openDocuments(path.join(dir, 'policies.json'), Attached);
  const sessions = openDocuments(path.join(dir, 'sessions.json'), Session);
  const listeners: (() => void)[] = [];
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    roles: watched(roles, ({ arn }) => arn, changed),
    attached: watched(attached, ({ id }) => id, changed),
    has: (roleArn) => roles.get(roleArn) !== undefined,
    trustOf: (roleArn) => roles.get(roleArn)?.trust,
    policiesOf(roleArn) {
      const name = roleArn.split('/').at(-1) ?? '';
      const others = [...attached.values()].filter((policy) => policy.roles.includes(name));
      return [...(roles.get(roleArn)?.policies ?? []), ...others.map(({ policy }) => policy)];
    },
    sessions: () => [...sessions.values()],
    remember: (accessKeyId, session) => {
      if (sessions.get(accessKeyId) === undefined) sessions.set(accessKeyId, session);
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

function watched<T>(
  documents: Documents<T>,
  keyOf: (document: T) => string,
  changed: () => void,
): { put(document: T): void; remove(key: string): void } {
  return {
    put: (document) => {
      documents.set(keyOf(document), document);
      changed();
    },
    remove: (key) => {
      documents.delete(key);
      changed();
    },
  };
}
