import type { Input } from '../../../input/input.ts';
import type { InputProfile } from '../../../plan/found.ts';
import { exclusionOf, type SendLimits } from '../../../transform/exclusion.ts';
import { SizeProfile } from '../../../transform/size-profile.ts';

const BATCH_ENTRIES = 1_000;

/** Reads the inputs once, in bounded memory, into a profile for each of the limits; `look` gets all entries, in order. */
export async function profileInputs(
  inputs: AsyncIterable<Input & { readonly isSent: boolean }>,
  limits: readonly SendLimits[],
  look: (entries: readonly Input[]) => Promise<void>,
): Promise<readonly InputProfile[]> {
  const profiles = limits.map((limit) => ({ limit, profile: emptyProfile() }));
  let batch: Input[] = [];
  for await (const entry of inputs) {
    for (const { limit, profile } of profiles) {
      const { sent, sample, excluded } = profile;
      if (entry.copy) profile.copies += 1;
      const reason = exclusionOf(entry, limit);
      if (reason !== undefined) excluded[reason] += 1;
      else if (!entry.isSent) {
        sent.add(entry.size);
        if (Number.isInteger(Math.log2(sent.count))) sample.push(entry);
      }
    }
    batch.push(entry);
    if (batch.length < BATCH_ENTRIES) continue;
    await look(batch);
    batch = [];
  }
  await look(batch);
  return profiles.map(({ profile }) => profile);
}

function emptyProfile() {
  return {
    sent: new SizeProfile(),
    sample: new Array<Input>(),
    copies: 0,
    excluded: { unreadable: 0, empty: 0, 'too-large': 0, 'key-too-long': 0 },
  };
}
