import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { ManifestEntry } from '../../drop/manifest-entry.ts';
import { type Input, Member } from '../../input/input.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { readPlacedLines } from './run.ts';

/** A line of `inputs.jsonl`; one of `manifest.jsonl` has the same form, without members. The name of an input is its `key`. */
export const InputLine = ManifestEntry.extend({ member: Member.optional() });

/** An input with the place in its file, in bytes, that follows it. */
export type PlacedInput = Input & { readonly end: number };

/**
 * The inputs of a run, in the order of their names, as they are read; from a place between two lines on. They are the objects of its
 * manifest, or the lines of `inputs.jsonl` if an earlier step has written it.
 *
 * @throws `RunFileMissing`
 */
export async function* readInputs(store: ObjectStore, run: RunParts, start = 0): AsyncGenerator<PlacedInput> {
  const listed = bucketLayout.inputs(run);
  const hasList = (await store.describe(listed)) !== undefined;
  const file = hasList ? listed : bucketLayout.manifest(run);
  for await (const { value, end } of readPlacedLines(store, file, start)) {
    const { key, etag, size, lastModified, member } = InputLine.parse(value);
    yield { name: key, content: etag, size, lastModified, ...(member && { member }), end };
  }
}
