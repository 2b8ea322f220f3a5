import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';

/** The member with which calls name their bus, by name or ARN; this stack has the default bus only. */
export const DefaultBus = z.string().optional();

/** @throws {AwsError} `ResourceNotFoundException` for any bus but the default one */
export function requireDefaultBus(name: string | undefined): void {
  const bus = name?.split('/').at(-1) ?? 'default';
  if (bus === 'default') return;
  throw new AwsError(
    'ResourceNotFoundException',
    `Event bus ${bus} does not exist: this stack has the default bus only.`,
  );
}
