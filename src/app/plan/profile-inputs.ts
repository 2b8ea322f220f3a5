import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Input } from '../../input/input.ts';
import { InputKinds } from '../../plan/input-kinds.ts';
import type { RunParts } from '../../run/run-id.ts';
import { type Exclusion, exclusionOf, type SendLimits } from '../../transform/exclusion.ts';
import { SizeProfile } from '../../transform/size-profile.ts';
import { readToSend } from '../records/inputs.ts';

/** A run, and the settings that decide which of its inputs are sent. */
export interface RunInputs extends SendLimits {
  readonly run: RunParts;
  /** The run whose inputs have been sent already; null for others. */
  readonly continues: RunParts | null;
}

/** Summary of a run's inputs. */
export interface InputProfile {
  /** Sizes of the inputs that go to the model. */
  readonly sent: SizeProfile;
  /** Counts of those that do not. */
  readonly excluded: Readonly<Record<Exclusion, number>>;
  /** A few inputs that go to the model: the first one, then at growing distances. */
  readonly sample: readonly Input[];
  /** Kinds of those that go to the model. */
  readonly kinds: InputKinds;
}

/** Entries in a batch. */
const BATCH_ENTRIES = 1_000;

/** Reads the inputs once, in bounded memory; `look` gets all entries, in order. */
export async function profileInputs(
  store: ObjectStore,
  inputs: RunInputs,
  look: (entries: readonly Input[]) => Promise<void>,
): Promise<InputProfile> {
  const sent = new SizeProfile();
  const kinds = new InputKinds();
  const sample: Input[] = [];
  const excluded = { unreadable: 0, empty: 0, 'too-large': 0, 'key-too-long': 0 };
  let batch: Input[] = [];
  for await (const entry of readToSend(store, inputs)) {
    const reason = exclusionOf(entry, inputs);
    if (reason !== undefined) excluded[reason] += 1;
    else if (!entry.isSent) {
      sent.add(entry.size);
      kinds.add(entry.name);
      if (Number.isInteger(Math.log2(sent.count))) sample.push(entry);
    }
    batch.push(entry);
    if (batch.length < BATCH_ENTRIES) continue;
    await look(batch);
    batch = [];
  }
  await look(batch);
  return { sent, excluded, sample, kinds };
}
