import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Credentials } from '../kernel/permission.ts';
import type { RoleStore } from './role-store.ts';

/** A session of a role. Calls of the session are signed with its key. */
interface Session {
  readonly roleArn: string;
  readonly name: string;
  readonly secret: string;
}

/** Opens the sessions of the roles kept in `dir`, by their access keys. */
export function openSessionBook(dir: string, store: RoleStore) {
  const seed = openSeed(path.join(dir, 'seed'));
  const sessions = new Map<string, Session>();
  /** The same for the same role and name, also after a restart. */
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
  /** Undefined for a key of no role. */
  const get = (accessKeyId: string): Session | undefined => sessions.get(accessKeyId);
  return { credentialsOf, get };
}

function openSeed(file: string): Buffer {
  if (!existsSync(file)) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, randomBytes(32), { mode: 0o600 });
  }
  return readFileSync(file);
}
