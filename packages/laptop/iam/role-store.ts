import { createHash } from 'node:crypto';
import path from 'node:path';
import * as z from 'zod';
import { type Documents, openDocuments } from '../storage/document-file.ts';
import { isOutOfRoom } from '../storage/read-lines.ts';
import { PolicyDocument } from './policy-document.ts';
import { TrustPolicy } from './trust-policy.ts';

const Role = z.object({
  arn: z.string(),
  /** UTC, ISO 8601. */
  createdAt: z.string(),
  policies: z.array(PolicyDocument),
  trust: TrustPolicy,
  /** ARNs of policies of their own. */
  managed: z.array(z.string()),
  boundary: z.string().optional(),
});
/** A policy of its own, attached to roles by name. */
const Attached = z.object({ id: z.string(), roles: z.array(z.string()), policy: PolicyDocument });
const Session = z.object({ roleArn: z.string(), sessionName: z.string() });

type Role = z.infer<typeof Role>;

/** Roles, the policies attached to them, and their sessions, as they are kept on disk. */
export interface RoleStore {
  readonly roles: { put(role: Role): void; remove(arn: string): void };
  readonly attached: { put(policy: z.infer<typeof Attached>): void; remove(id: string): void };
  has(roleArn: string): boolean;
  /** UTC, ISO 8601; undefined for a role that is not there. */
  createdAt(roleArn: string): string | undefined;
  /** Undefined if nothing is known of it. */
  trustOf(roleArn: string): TrustPolicy | undefined;
  /** Inline and attached ones; none for a role that is not there. */
  policiesOf(roleArn: string): readonly PolicyDocument[];
  /** The policy that limits a role; undefined if none does. */
  boundaryOf(roleArn: string): PolicyDocument | undefined;
  /** A policy of its own, by its ARN. */
  hasManaged(policyArn: string): boolean;
  /** Characters of a role's inline policies, without white space; one policy is left out. */
  inlineSize(roleName: string, exceptId: string | undefined): number;
  sessions(): readonly z.infer<typeof Session>[];
  /** Valid at once; lost at a restart if the disk is full. */
  remember(accessKeyId: string, session: z.infer<typeof Session>): void;
  onChange(listener: () => void): void;
}

const NOTHING: PolicyDocument = { Version: '2012-10-17', Statement: [] };

/** Size of a policy as IAM counts its characters: without white space. */
export function policySize(document: unknown): number {
  return JSON.stringify(document).replace(/\s/g, '').length;
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
    createdAt: (roleArn) => roles.get(roleArn)?.createdAt,
    trustOf: (roleArn) => roles.get(roleArn)?.trust,
    policiesOf(roleArn) {
      const name = roleArn.split('/').at(-1) ?? '';
      const { policies = [], managed = [] } = roles.get(roleArn) ?? {};
      const others = [...attached.values()].filter(
        (policy) => policy.roles.includes(name) || managed.includes(policy.id),
      );
      return [...policies, ...others.map(({ policy }) => policy)];
    },
    boundaryOf(roleArn) {
      const boundary = roles.get(roleArn)?.boundary;
      if (boundary === undefined) return undefined;
      // A deleted boundary allows nothing.
      return attached.get(boundary)?.policy ?? NOTHING;
    },
    hasManaged: (policyArn) => attached.get(policyArn) !== undefined,
    inlineSize(roleName, exceptId) {
      const own = [...roles.values()].filter(({ arn }) => arn.endsWith(`/${roleName}`));
      const others = [...attached.values()].filter(
        ({ id, roles: names }) => id !== exceptId && !id.startsWith('arn:') && names.includes(roleName),
      );
      const documents = [...own.flatMap(({ policies }) => policies), ...others.map(({ policy }) => policy)];
      return documents.reduce((sum, document) => sum + policySize(document), 0);
    },
    sessions: () => [...sessions.values()],
    remember: (accessKeyId, session) => {
      if (sessions.get(accessKeyId) !== undefined) return;
      try {
        sessions.set(accessKeyId, session);
      } catch (error) {
        if (!isOutOfRoom(error)) throw error;
        // It is valid while the stack runs, and stored with the next one.
        process.stderr.write(`iam: the session of ${session.roleArn} is not kept: ${String(error)}\n`);
      }
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

/** The ID of a role, in IAM's form; a role that is made again under its name has the same. */
export function roleIdOf(roleName: string): string {
  return `AROA${createHash('sha256').update(roleName).digest('hex').slice(0, 17).toUpperCase()}`;
}
