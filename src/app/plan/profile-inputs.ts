import type { ObjectStore } from '../../aws/object-store.ts';
import type { ManifestEntry } from '../../drop/manifest-entry.ts';
import { InputKinds } from '../../plan/input-kinds.ts';
import { type Exclusion, exclusionOf, type SendLimits } from '../../transform/exclusion.ts';
import { SizeProfile } from '../../transform/size-profile.ts';
import { readManifest } from '../records/run.ts';

/** A run's manifest, and the settings that decide which inputs are sent. */
export interface RunInputs extends SendLimits {
  readonly manifest: string;
}

/** Summary of a manifest. */
export interface InputProfile {
  /** Sizes of the inputs that go to the model. */
  readonly sent: SizeProfile;
  /** Counts of those that do not. */
  readonly excluded: Readonly<Record<Exclusion, number>>;
  /** Keys of a few inputs that go to the model: the first one, then at growing distances. */
  readonly sample: readonly string[];
  /** Kinds of those that go to the model. */
  readonly kinds: InputKinds;
}

/** Entries in a batch. */
const BATCH_ENTRIES = 1_000;

/** Reads the manifest once, in bounded memory; `look` gets all entries, in order. */
export async function profileInputs(
  store: ObjectStore,
  inputs: RunInputs,
  look: (entries: readonly ManifestEntry[]) => Promise<void>,
): Promise<InputProfile> {
  const sent = new SizeProfile();
  const kinds = new InputKinds();
  const sample: string[] = [];
  const excluded = { empty: 0, 'too-large': 0, 'key-too-long': 0 };
  let batch: ManifestEntry[] = [];
  for await (const entry of readManifest(store, inputs.manifest)) {
    const reason = exclusionOf(entry, inputs);
    if (reason !== undefined) excluded[reason] += 1;
    else {
      sent.add(entry.size);
      kinds.add(entry.key);
      if (Number.isInteger(Math.log2(sent.count))) sample.push(entry.key);
    }
    batch.push(entry);
    if (batch.length < BATCH_ENTRIES) continue;
    await look(batch);
    batch = [];
  }
  await look(batch);
  return { sent, excluded, sample, kinds };
}
