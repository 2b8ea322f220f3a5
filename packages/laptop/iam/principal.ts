import * as z from 'zod';
import type { ServiceCaller } from '../kernel/permission.ts';

/** Names of services that IAM accepts. */
export const SERVICE_NAME = /^[a-z\d-]+(\.[a-z\d-]+)?\.amazonaws\.com(\.cn)?$/;
/** A role is named as such, or one session of it. */
const IDENTITY =
  /^(\*|\d{12}|arn:[\w-]+:iam::\d{12}:(root|(role|user)\/[^*]+)|arn:[\w-]+:sts::\d{12}:assumed-role\/[^*]+)$/;

const oneOrMore = (form: RegExp) => {
  const one = z.string().regex(form, `must match ${form.source}`);
  return z.union([one, z.array(one)]);
};

/** The principals of a statement that this stack can have. */
export const Principal = z.union([
  z.literal('*'),
  z.strictObject({
    AWS: oneOrMore(IDENTITY).optional(),
    Service: oneOrMore(SERVICE_NAME).optional(),
  }),
]);
export type Principal = z.infer<typeof Principal>;

/** The caller: a service on the account's behalf, a session of a role, or (without a role) the account's owner. */
export type Caller =
  | ServiceCaller
  | { readonly account: string; readonly roleArn: string | undefined; readonly sessionName?: string };

/** Whether the caller is a service itself, rather than a principal of the account. */
export function isService(caller: Caller): caller is ServiceCaller {
  return 'service' in caller;
}

/** How a statement names a caller: as such, by the account it belongs to, or not at all. */
export type Naming = 'direct' | 'account' | undefined;

/**
 * If a statement names the role's account, the role's own policies decide; if it names all principals, the role, or its
 * session, it decides.
 */
export function principalMatcher(principal: Principal): (caller: Caller) => Naming {
  if (principal === '*') return () => 'direct';
  const services = [principal.Service ?? []].flat();
  const others = [principal.AWS ?? []].flat();
  if (others.includes('*')) return () => 'direct';
  return (caller) => {
    if (isService(caller)) return services.includes(caller.service) ? 'direct' : undefined;
    const { roleArn, session, isOfAccount } = identitiesOf(caller);
    if (others.some((arn) => arn === roleArn || session(arn))) return 'direct';
    return others.some(isOfAccount) ? 'account' : undefined;
  };
}

/**
 * `NotPrincipal`: all principals except those named. As IAM's user guide has it, a session of a role is excepted only if its account,
 * its role and the session itself are named.
 */
export function exceptionMatcher(principal: Principal): (caller: Caller) => Naming {
  if (principal === '*') return () => undefined;
  const services = [principal.Service ?? []].flat();
  const others = [principal.AWS ?? []].flat();
  return (caller) => {
    if (isService(caller)) return services.includes(caller.service) ? undefined : 'direct';
    const { roleArn, session, isOfAccount } = identitiesOf(caller);
    const isExcepted =
      others.includes('*') ||
      (others.some(isOfAccount) &&
        (roleArn === undefined || (others.includes(roleArn) && others.some(session))));
    return isExcepted ? undefined : 'direct';
  };
}

function identitiesOf({ account, roleArn, sessionName = '' }: Exclude<Caller, ServiceCaller>) {
  const role = roleArn?.split('/').at(-1) ?? '';
  const ofAccount = new RegExp(`^arn:[\\w-]+:iam::${account}:root$`);
  return {
    roleArn,
    session: (arn: string): boolean =>
      roleArn !== undefined && arn.endsWith(`:sts::${account}:assumed-role/${role}/${sessionName}`),
    isOfAccount: (arn: string): boolean => arn === account || ofAccount.test(arn),
  };
}
