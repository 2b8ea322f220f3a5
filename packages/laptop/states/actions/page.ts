import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';

/** Members of every action that lists. */
export const Paging = {
  maxResults: z.number().int().min(0).max(1000).optional(),
  nextToken: z.string().optional(),
};

/**
 * One page of a list, 100 by default. `key` marks where the next page begins.
 *
 * @throws {AwsError} `InvalidToken`
 */
export function pageOf<Item>(
  items: readonly Item[],
  key: (item: Item) => string,
  {
    maxResults,
    nextToken,
  }: { readonly maxResults?: number | undefined; readonly nextToken?: string | undefined },
): { readonly page: readonly Item[]; readonly nextToken?: string } {
  let start = 0;
  if (nextToken !== undefined) {
    const from = Buffer.from(nextToken, 'base64url').toString('utf8');
    start = items.findIndex((item) => key(item) === from);
    if (start < 0) throw new AwsError('InvalidToken', `Invalid Token: '${nextToken}'`);
  }
  const end = start + (maxResults || 100);
  const next = items[end];
  const page = items.slice(start, end);
  return next === undefined ? { page } : { page, nextToken: Buffer.from(key(next)).toString('base64url') };
}
