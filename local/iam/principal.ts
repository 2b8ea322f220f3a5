import * as z from 'zod';
import type { ServiceCaller } from '../gateway/permission.ts';

/** As IAM takes the names of services. */
export const SERVICE_NAME = /^[a-z\d-]+(\.[a-z\d-]+)?\.amazonaws\.com(\.cn)?$/;
/** Sessions (`assumed-role`) are not told apart here: a role is named as such. */
const IDENTITY = /^(\*|\d{12}|arn:[\w-]+:iam::\d{12}:(root|(role|user)\/[^*]+))$/;

const oneOrMore = (form: RegExp) => {
  const one = z.string().regex(form, `must match ${form.source}`);
  return z.union([one, z.array(one)]);
};

/** Whom a statement speaks of, as far as this stack knows such callers. */
export const Principal = z.union([
  z.literal('*'),
  z.strictObject({
    AWS: oneOrMore(IDENTITY).optional(),
    Service: oneOrMore(SERVICE_NAME).optional(),
  }),
]);
export type Principal = z.infer<typeof Principal>;

/** Who asks: a service for something of the account's, a session of a role, or (of no role) the account's owner. */
export type Caller = ServiceCaller | { readonly account: string; readonly roleArn: string | undefined };

/** Whether a service asks by itself, rather than somebody of the account. */
export function isService(caller: Caller): caller is ServiceCaller {
  return 'service' in caller;
}

/** How a statement names a caller: as such, by the account it belongs to, or not at all. */
export type Naming = 'direct' | 'account' | undefined;

/** Naming the account of a role lets the role's own policies decide; naming everybody, or the role, decides itself. */
export function principalMatcher(principal: Principal): (caller: Caller) => Naming {
  if (principal === '*') return () => 'direct';
  const services = [principal.Service ?? []].flat();
  const others = [principal.AWS ?? []].flat();
  if (others.includes('*')) return () => 'direct';
  return (caller) => {
    if (isService(caller)) return services.includes(caller.service) ? 'direct' : undefined;
    const { account, roleArn } = caller;
    if (roleArn !== undefined && others.includes(roleArn)) return 'direct';
    return others.some((arn) => arn === account || new RegExp(`^arn:[\\w-]+:iam::${account}:root$`).test(arn))
      ? 'account'
      : undefined;
  };
}
