import type { ObjectStore } from '../../aws/object-store.ts';
import { InputKinds } from '../../plan/input-kinds.ts';
import type { Exclusion } from '../../transform/exclusion.ts';
import { exclusionOf } from '../../transform/exclusion.ts';
import type { OutputMapping } from '../../transform/output-key.ts';
import { toOutputKey } from '../../transform/output-key.ts';
import { SizeProfile } from '../../transform/size-profile.ts';
import { readManifest } from '../run/read-manifest.ts';

/** A run's manifest, and what decides which of its inputs are sent. */
export interface RunInputs extends OutputMapping {
  readonly manifest: string;
  readonly largestAllowedBytes: number | null;
}

/** A manifest at a glance. */
export interface InputProfile {
  /** Sizes of the inputs that go to the model. */
  readonly sent: SizeProfile;
  /** Counts of those that do not. */
  readonly excluded: Readonly<Record<Exclusion, number>>;
  /** Keys of a few inputs that go to the model, the first among them, farther and farther apart. */
  readonly sample: readonly string[];
  /** Kinds of those that go to the model. */
  readonly kinds: InputKinds;
}

/** Reads the manifest once, in little memory. */
export async function profileInputs(store: ObjectStore, inputs: RunInputs): Promise<InputProfile> {
  const sent = new SizeProfile();
  const kinds = new InputKinds();
  const sample: string[] = [];
  const excluded = { empty: 0, 'too-large': 0, 'key-too-long': 0 };
  for await (const entry of readManifest(store, inputs.manifest)) {
    const outputKey = toOutputKey(entry.key, inputs);
    const reason = exclusionOf({ ...entry, outputKey, largestAllowedBytes: inputs.largestAllowedBytes });
    if (reason !== undefined) excluded[reason] += 1;
    else {
      sent.add(entry.size);
      kinds.add(entry.key);
      if (Number.isInteger(Math.log2(sent.count))) sample.push(entry.key);
    }
  }
  return { sent, excluded, sample, kinds };
}
