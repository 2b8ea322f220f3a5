import type { Site } from '../../kernel/service.ts';

/** The one owner of everything. */
export function toOwner({ account }: Site): { readonly ID: string; readonly DisplayName: string } {
  return { ID: account.padStart(64, '0'), DisplayName: 'local' };
}
