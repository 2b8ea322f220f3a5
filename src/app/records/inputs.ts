import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { eachOf } from '../../concurrency/each-of.ts';
import type { Input } from '../../input/input.ts';
import { FirstOfContent } from '../../judging/first-of-content.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { compareByteOrder } from '../../text/byte-order.ts';
import { toJsonLine } from '../../text/json-lines.ts';
import { type InputLine, readInputLine, toInput, toInputLine } from './input-line.ts';
import { readPlaced } from './run-file.ts';

/** An input with the place in its file, in bytes, that follows it. */
type PlacedInput = Input & { readonly end: number };
type PlacedInputs = AsyncIterableIterator<PlacedInput, undefined>;

/**
 * The inputs that a run predicts, in the order of their names, as they are read; from a place between two lines on: those drawn, or all
 * that it has.
 *
 * @throws `RunFileMissing`
 */
export function readInputs(store: ObjectStore, run: RunParts, start = 0): PlacedInputs {
  const sample = bucketLayout.sample(run);
  return readList(store, start, async () =>
    (await store.describe(sample)) === undefined ? listOf(store, run) : sample,
  );
}

/** All inputs of a run; it may predict only a sample of them. */
export function readAllInputs(store: ObjectStore, run: RunParts): PlacedInputs {
  return readList(store, 0, () => listOf(store, run));
}

/**
 * All inputs of a run, with the copies among them.
 *
 * @throws `RunFileMissing`
 */
export function readInputsWithCopies(store: ObjectStore, run: RunParts): PlacedInputs {
  const firsts = new FirstOfContent();
  return readList(
    store,
    0,
    () => listOf(store, run),
    (value, end) => {
      const input = toPlaced(value, end);
      return firsts.isCopy(input) ? { ...input, copy: true } : input;
    },
  );
}

function readList(
  store: ObjectStore,
  start: number,
  find: () => Promise<string>,
  toInputAt = toPlaced,
): PlacedInputs {
  async function* batches(): AsyncGenerator<readonly PlacedInput[]> {
    yield* readPlaced(store, await find(), start, toInputAt);
  }
  return eachOf(batches());
}

/** The list of all inputs: the objects of the manifest, or what `inputs.jsonl` names where a step before has written it. */
async function listOf(store: ObjectStore, run: RunParts): Promise<string> {
  const listed = bucketLayout.inputs(run);
  return (await store.describe(listed)) === undefined ? bucketLayout.manifest(run) : listed;
}

/** Whether the list of all inputs, which an earlier call may have written, refuses an object. */
export async function hasRefused(store: ObjectStore, run: RunParts): Promise<boolean> {
  if ((await store.describe(bucketLayout.inputs(run))) === undefined) return false;
  for await (const { defect, member } of readAllInputs(store, run))
    if (defect !== undefined && member === undefined) return true;
  return false;
}

function toPlaced(value: unknown, end: number): PlacedInput {
  return { ...toInput(readInputLine(value)), end };
}

/** Lists all inputs of a run that are not the objects of its manifest. */
export async function writeInputs(
  store: ObjectStore,
  run: RunParts,
  lines: AsyncIterable<InputLine>,
): Promise<void> {
  async function* text(): AsyncGenerator<string> {
    for await (const { key, size, etag, lastModified, source, record, member, label, defect } of lines)
      yield toJsonLine({ key, size, etag, lastModified, source, record, member, label, defect });
  }
  await store.writeStream(bucketLayout.inputs(run), text(), { contentType: 'application/jsonl' });
}

/** Gives a run the list of another run of the same manifest; nothing where that one's inputs are the objects of it. */
export async function copyInputs(store: ObjectStore, run: RunParts, of: RunParts): Promise<void> {
  const key = bucketLayout.inputs(of);
  if ((await store.describe(key)) === undefined) return;
  await store.copy({ bucket: store.bucket, key }, bucketLayout.inputs(run));
}

/** Lists the inputs that were drawn. */
export async function writeSample(
  store: ObjectStore,
  run: RunParts,
  inputs: AsyncIterable<Input>,
): Promise<void> {
  async function* lines(): AsyncGenerator<string> {
    for await (const input of inputs) yield toJsonLine(toInputLine(input));
  }
  await store.writeStream(bucketLayout.sample(run), lines(), { contentType: 'application/jsonl' });
}

/** Has a run take the sample of another run of the same manifest; nothing where that one has taken all. */
export async function copySample(store: ObjectStore, run: RunParts, of: RunParts): Promise<void> {
  const key = bucketLayout.sample(of);
  if ((await store.describe(key)) === undefined) return;
  await store.copy({ bucket: store.bucket, key }, bucketLayout.sample(run));
}

/** The inputs that another run of the same manifest predicts, before their list is copied. */
export function readSampleOf(store: ObjectStore, run: RunParts, of: RunParts): PlacedInputs {
  const sample = bucketLayout.sample(of);
  return readList(store, 0, async () =>
    (await store.describe(sample)) === undefined ? listOf(store, run) : sample,
  );
}

/** Has a run take all of its inputs, whatever an earlier attempt to plan it has drawn. */
export async function takeAllInputs(store: ObjectStore, run: RunParts): Promise<void> {
  const key = bucketLayout.sample(run);
  if ((await store.describe(key)) === undefined) return;
  await store.copy({ bucket: store.bucket, key: await listOf(store, run) }, key);
}

/**
 * The inputs of a run, each with whether the run that it continues has sent it: one pass over both lists.
 *
 * @throws `RunFileMissing`
 */
export function readToSend(
  store: ObjectStore,
  { run, continues }: { readonly run: RunParts; readonly continues: RunParts | null },
): AsyncGenerator<Input & { readonly isSent: boolean }> {
  return markSent(readInputs(store, run), continues === null ? undefined : readInputs(store, continues));
}

/** Marks the inputs that another list, of the same order, has. */
export async function* markSent(
  inputs: AsyncIterable<Input>,
  before?: AsyncIterator<Input, undefined>,
): AsyncGenerator<Input & { readonly isSent: boolean }> {
  let next = await before?.next();
  for await (const input of inputs) {
    while (next?.done === false && compareByteOrder(next.value.name, input.name) < 0)
      next = await before?.next();
    yield { ...input, isSent: next?.done === false && next.value.name === input.name };
  }
}
