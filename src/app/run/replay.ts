import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { ManifestEntry } from '../../drop/manifest-entry.ts';
import { Condition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { grouped } from '../../text/figures.ts';
import { frozenJson } from '../records/drop.ts';
import { readInputs } from '../records/inputs.ts';
import { planJson } from '../records/plan.ts';
import { type ChangedInput, findChangedInputs } from './changed-inputs.ts';
import { missingArchive } from './missing-archive.ts';
import { type Repeated, repeatManifest, type RepeatServices } from './repeat-manifest.ts';

/** Cap on the changed keys listed in the refusal. */
const MAX_NAMED = 10_000;

/** A run cannot be repeated as it was. */
export class ReplayRefused extends Condition {
  /** Inputs that are no longer the same object, in the order of their keys. */
  readonly changed: readonly ChangedInput[];

  constructor(message: string, changed: readonly ChangedInput[] = []) {
    super('ReplayRefused', message);
    this.changed = changed;
  }
}

/**
 * Repeats a run as it was: the same model digest, the same version of each input, the settings of its plan. The report
 * of the repetition compares the predictions row by row.
 *
 * @throws {ReplayRefused} with the inputs that are no longer the same object
 */
export async function replay(
  { run: original }: { readonly run: RunParts },
  services: RepeatServices,
): Promise<Repeated> {
  const { store } = services;
  const name = toRunId(original);
  const [frozen, plan, rows] = await Promise.all([
    frozenJson(original).read(store),
    planJson(original).read(store),
    store.describe(bucketLayout.rows(original, 0)),
  ]);
  if (frozen === undefined || plan === undefined || rows === undefined) {
    throw new ReplayRefused(
      `run ${name} must have predictions to be repeated and compared, and there are none: inferdrop rerun repeats it with a fresh plan`,
    );
  }
  if (frozen.origin.mode === 'continue') {
    throw new ReplayRefused(
      `run ${name} must have predicted all of its inputs to be repeated: it continues ${frozen.origin.of}. inferdrop ` +
        `replay ${frozen.origin.of} repeats that one`,
    );
  }
  const missing = await missingArchive(store, plan);
  if (missing !== undefined) {
    throw new ReplayRefused(
      `run ${name} cannot be repeated: ${missing}, its model, is not there any more; inferdrop rerun ${name} predicts with today's`,
    );
  }
  const changed: ChangedInput[] = [];
  let count = 0;
  const source = store.in(plan.input.bucket);
  for await (const input of findChangedInputs(source, plan.input.prefix, objectsOf(store, original))) {
    count++;
    if (changed.length < MAX_NAMED) changed.push(input);
  }
  if (count > 0) {
    throw new ReplayRefused(
      `run ${name} cannot be repeated: ${grouped(count)} of its ${grouped(plan.sample?.inputs ?? frozen.objects)} ` +
        'inputs are no longer the same object',
      changed,
    );
  }
  return repeatManifest(original, { ...frozen, origin: { mode: 'replay', of: name } }, services);
}

/** The objects that the inputs of a run are, then those that they lie in, each once. */
async function* objectsOf(store: ObjectStore, run: RunParts): AsyncGenerator<ManifestEntry> {
  const packed = new Map<string, ManifestEntry>();
  for await (const { name, content: etag, size, lastModified, member } of readInputs(store, run))
    if (member === undefined) yield { key: name, etag, size, lastModified };
    else packed.set(member.object, { key: member.object, etag: member.etag, size: member.end, lastModified });
  yield* packed.values();
}
