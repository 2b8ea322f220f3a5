import * as z from 'zod';
import { resourceOf, type VerifiedStack } from '../verified-stack.ts';
import { FORBIDDEN } from './forbidden.ts';
import recorded from './recorded.json' with { type: 'json' };
import type { RoleCall } from './role-call.ts';
import { UNREACHED } from './unreached.ts';

/** A question to IAM, and the decision that the stack relies on. */
export interface AskedCall extends Omit<RoleCall, 'context'> {
  /** IAM compares a boolean only with one that is declared as such. */
  readonly context: Readonly<Record<string, string | boolean>>;
  readonly wanted: 'allowed' | 'denied';
}

/** Calls that roles made in flows on the laptop: test/support/role-call-recorder.ts writes the file. */
export const RECORDED: readonly RoleCall[] = z
  .array(
    z.strictObject({
      role: z.string(),
      actions: z.array(z.string()),
      resource: z.string(),
      context: z.record(z.string(), z.string()),
    }),
  )
  .parse(recorded);

/**
 * Calls of each role of a stack: those that were recorded, those that no flow reaches, and those that IAM must refuse. They come
 * from observing functions, machines and containers, not from the policies that they judge.
 */
export function roleCalls(
  stack: Pick<VerifiedStack, 'name' | 'partition' | 'region' | 'account' | 'description' | 'resources'>,
): readonly AskedCall[] {
  const { partition, region, account } = stack;
  const names = new Map([
    ...stack.description.parameters,
    ...Object.entries({
      stack: stack.name,
      stage: stack.name.replace(/^inferdrop-/, ''),
      partition,
      region,
      account,
    }),
  ]);
  const fill = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (_, name: string) => names.get(name) ?? resourceOf(stack, name));
  const ask =
    (wanted: AskedCall['wanted']) =>
    ({ role, actions, resource, context }: RoleCall): AskedCall => ({
      role,
      actions,
      resource: fill(resource),
      context: Object.fromEntries(
        Object.entries(context).map(([key, value]) => [key, value === 'true' || fill(value)]),
      ),
      wanted,
    });
  const hasKey = (names.get('KmsKeyArn') ?? '') !== '';
  return [
    ...[...RECORDED, ...UNREACHED]
      .filter(({ resource }) => hasKey || resource !== '{KmsKeyArn}')
      .map(ask('allowed')),
    ...FORBIDDEN.map(ask('denied')),
  ];
}
