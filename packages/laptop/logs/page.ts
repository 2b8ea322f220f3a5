/** One page of a list; the token is the index at which the next one begins. */
export function pageOf<T>(
  items: readonly T[],
  limit: number,
  token: string | undefined,
): { readonly items: readonly T[]; readonly nextToken: string | undefined } {
  const start = Number(token ?? 0);
  const end = start + limit;
  return { items: items.slice(start, end), nextToken: end < items.length ? String(end) : undefined };
}
