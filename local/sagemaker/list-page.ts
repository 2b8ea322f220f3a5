import * as z from 'zod';
import { AwsError } from '../gateway/aws-error.ts';

/** Input that every List action of SageMaker shares. */
export const ListInput = z.object({
  MaxResults: z.int().min(1).max(100).optional(),
  NextToken: z.string().max(8192).optional(),
  NameContains: z
    .string()
    .max(63)
    .regex(/^[a-zA-Z0-9-]+$/)
    .optional(),
  CreationTimeAfter: z.number().optional(),
  CreationTimeBefore: z.number().optional(),
  SortOrder: z.enum(['Ascending', 'Descending']).optional(),
});

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextToken: string | undefined;
}

/** Cuts a page of `MaxResults` (default 10) out of a sorted list; the token is the place of the next item. */
export function cutPage<T>(
  items: readonly T[],
  input: Pick<z.infer<typeof ListInput>, 'MaxResults' | 'NextToken'>,
): Page<T> {
  const start = input.NextToken === undefined ? 0 : readToken(input.NextToken);
  const end = start + (input.MaxResults ?? 10);
  return { items: items.slice(start, end), nextToken: end < items.length ? toToken(end) : undefined };
}

/** `after` and `before` are exclusive, in epoch seconds. */
export function isWithin(timeMs: number, after: number | undefined, before: number | undefined): boolean {
  return (after === undefined || timeMs > after * 1000) && (before === undefined || timeMs < before * 1000);
}

function toToken(at: number): string {
  return Buffer.from(`at:${at}`).toString('base64url');
}

function readToken(token: string): number {
  const match = /^at:(\d+)$/.exec(Buffer.from(token, 'base64url').toString());
  if (!match) throw new AwsError('ValidationException', `Invalid NextToken: ${token}`);
  return Number(match[1]);
}
