import { validationError } from '../kernel/aws-error.ts';

/** CloudFormation lists a hundred things a page. */
const PAGE = 100;

/** One page of a list; the token is where the next begins, counted from the list's end so that what comes first may grow. */
export function pageOf<T>(
  all: readonly T[],
  token: string | undefined,
): { readonly items: readonly T[]; readonly nextToken: string | undefined } {
  const left = token === undefined ? all.length : Number(token);
  if (!Number.isInteger(left) || left < 0 || left > all.length)
    throw validationError(`Invalid NextToken ${token}`);
  const start = all.length - left;
  const rest = left - PAGE;
  return { items: all.slice(start, start + PAGE), nextToken: rest > 0 ? String(rest) : undefined };
}
