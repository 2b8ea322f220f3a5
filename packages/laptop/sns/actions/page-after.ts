const PAGE = 100;

/** One page of a list sorted by ARN; the token is the last ARN of the page before. */
export function pageAfter<T extends { readonly arn: string }>(
  items: readonly T[],
  token = '',
): { readonly items: readonly T[]; readonly nextToken: string | undefined } {
  const rest = items.filter(({ arn }) => arn > token);
  const page = rest.slice(0, PAGE);
  return { items: page, nextToken: rest.length > page.length ? page.at(-1)?.arn : undefined };
}
