import { createHash } from 'node:crypto';

/** The ID of a role, in IAM's form; a role that is made again under its name has the same. */
export function roleIdOf(roleName: string): string {
  return `AROA${createHash('sha256').update(roleName).digest('hex').slice(0, 17).toUpperCase()}`;
}
