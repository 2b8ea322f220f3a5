import * as z from 'zod';
import { validationException } from '../kernel/aws-error.ts';

/** Input that every List action of SageMaker shares. */
export const ListInput = z.strictObject({
  MaxResults: z.int().optional(),
  NextToken: z.string().optional(),
  NameContains: z.string().optional(),
  CreationTimeAfter: z.number().optional(),
  CreationTimeBefore: z.number().optional(),
  SortOrder: z.enum(['Ascending', 'Descending']).optional(),
});

/** Input of List actions for resources that can change after creation. */
export const ListChangingInput = ListInput.extend({
  LastModifiedTimeAfter: z.number().optional(),
  LastModifiedTimeBefore: z.number().optional(),
  SortBy: z.enum(['Name', 'CreationTime', 'Status']).optional(),
});

interface Page<T> {
  readonly items: readonly T[];
  readonly nextToken: string | undefined;
}

/** Facts of a resource by which lists are filtered and sorted. */
interface Listed {
  readonly name: string;
  readonly creationTimeMs: number;
  readonly lastModifiedTimeMs?: number;
  readonly status?: string;
}

/** The page that the input asks for: by default the ten newest, equals by name. */
export function listPage<T>(
  items: Iterable<T>,
  input: Partial<z.infer<typeof ListChangingInput>>,
  factsOf: (item: T) => Listed,
): Page<T> {
  const direction = input.SortOrder === 'Ascending' ? 1 : -1;
  const listed = [...items]
    .map((item) => ({ item, ...factsOf(item) }))
    .filter(({ name }) => name.includes(input.NameContains ?? ''))
    .filter((one) => isWithin(one.creationTimeMs, input.CreationTimeAfter, input.CreationTimeBefore))
    .filter(({ creationTimeMs, lastModifiedTimeMs = creationTimeMs }) =>
      isWithin(lastModifiedTimeMs, input.LastModifiedTimeAfter, input.LastModifiedTimeBefore),
    )
    .sort((a, b) => {
      const byName = a.name < b.name ? -1 : 1;
      const byTime = a.creationTimeMs - b.creationTimeMs || byName;
      if (input.SortBy === 'Name') return direction * byName;
      if (input.SortBy === 'Status' && a.status !== b.status)
        return direction * ((a.status ?? '') < (b.status ?? '') ? -1 : 1);
      return direction * byTime;
    });
  const { items: page, nextToken } = cutPage(listed, input, ({ name }) => name);
  return { items: page.map(({ item }) => item), nextToken };
}

/**
 * Cuts a page of `MaxResults` (default 10) out of a sorted list. The token names the last item given, so that items that come or
 * go before it neither show another twice nor hide one.
 */
export function cutPage<T>(
  items: readonly T[],
  input: Pick<z.infer<typeof ListInput>, 'MaxResults' | 'NextToken'>,
  nameOf: (item: T) => string,
): Page<T> {
  const start = input.NextToken === undefined ? 0 : findStart(items, readToken(input.NextToken), nameOf);
  const end = start + (input.MaxResults ?? 10);
  const page = items.slice(start, end);
  const last = page.at(-1);
  return {
    items: page,
    nextToken: end < items.length && last !== undefined ? toToken([end, nameOf(last)]) : undefined,
  };
}

/** If the last item itself has been deleted, its sort key gives the place to continue at. */
function findStart<T>(items: readonly T[], [end, name]: Token, nameOf: (item: T) => string): number {
  const last = items.findIndex((item) => nameOf(item) === name);
  return last < 0 ? end - 1 : last + 1;
}

/** `after` and `before` are exclusive, in epoch seconds. */
function isWithin(timeMs: number, after: number | undefined, before: number | undefined): boolean {
  return (after === undefined || timeMs > after * 1000) && (before === undefined || timeMs < before * 1000);
}

/** How many items came before the next page, and the name of the last of them. */
const Token = z.tuple([z.int().min(1), z.string()]);
type Token = z.infer<typeof Token>;

function toToken(token: Token): string {
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

function readToken(text: string): Token {
  try {
    return Token.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    throw validationException(`Invalid NextToken: ${text}`);
  }
}
