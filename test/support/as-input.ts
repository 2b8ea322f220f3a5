import type { Input } from '../../src/input/input.ts';

/** An object as the input of a run. */
export function asInput<Rest extends object>({
  key,
  etag,
  ...rest
}: { readonly key: string; readonly etag: string } & Rest): Omit<Rest, 'key' | 'etag'> &
  Pick<Input, 'name' | 'content'> {
  return { name: key, content: etag, ...rest };
}
