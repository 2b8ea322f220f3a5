import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import type { Input } from '../../../input/input.ts';
import { keyOfName } from '../../../input/record-name.ts';
import { truthByFolder } from '../../../label/truth-in-key.ts';
import type { EngineAsked } from '../../../plan/engine/engine-asked.ts';
import type { Asked, Found, FoundInputs, FoundLabelFile, InputProfile } from '../../../plan/found.ts';
import { isCsv, type SampledText } from '../../../plan/judge/judge-requests.ts';
import type { SampleFile } from '../../../plan/judge/sample-problems.ts';
import type { Problem } from '../../../problem/problem.ts';
import { RunParts } from '../../../run/run-id.ts';
import { exclusionOf, type SendLimits } from '../../../transform/exclusion.ts';
import { isOneRecord, opensFiles } from '../../../transform/one-record.ts';
import { SizeProfile } from '../../../transform/size-profile.ts';
import {
  markSent,
  readInputs as readListed,
  readInputsWithCopies,
  readSampleOf,
} from '../../records/inputs.ts';
import { checkTruth, type TruthCheck } from './check-truth.ts';
import { ALL, type Draw } from './draw.ts';
import { drawFirstRound } from './draw-first-round.ts';
import { drawSample, refusedSample } from './draw-sample.ts';
import { sampleTexts, SliceLook } from './slice-look.ts';

const BATCH_ENTRIES = 1_000;

/** Facts that the look at the inputs depends on. */
interface Beside {
  readonly labelFile: FoundLabelFile | null;
  /** Whether there is no run to compare with, so that all inputs are needed. */
  readonly isAlone: boolean;
  /** Whether no script stands between the requests and the model. */
  readonly isPlain: boolean;
}

/** Reads what each engine would send: in one pass over the inputs for all of them, unless each draws a first round of its own. */
export async function readInputs(
  store: ObjectStore,
  asked: Asked,
  engines: readonly EngineAsked[],
  { labelFile, isAlone, isPlain }: Beside,
): Promise<Found['inputs']> {
  const { run, frozen, original, configuration } = asked;
  const { config } = configuration;
  const isEarly = config.gate?.decide === 'early' && !isAlone && original === null;
  const found = new Map<EngineAsked['name'], FoundInputs>();
  const { contentType } = config.transform;
  const isOpened = opensFiles({ ...config.transform, columns: config.columns });
  for (const group of isEarly ? engines.map((engine) => [engine]) : [engines]) {
    const [first] = group;
    if (first === undefined) continue;
    const { classes, hasTruth, slices: asking } = first.configuration;
    const look = new SliceLook(asking, config.gate?.slices, { prefix: frozen.sourcePrefix, isOpened });
    const sources = {
      classes,
      numbers: config.labels.numbers,
      isOpened,
      truth: hasTruth ? config.labels.truth : null,
      input: { bucket: frozen.sourceBucket, prefix: frozen.sourcePrefix },
      isOneRecord: isOneRecord({ ...config.transform, columns: config.columns }),
      columns: asking.columns,
      onRow: (row: Parameters<typeof look.takeRow>[0]) => look.takeRow(row),
    };
    const check = checkTruth(store, run, sources, labelFile);
    const { sample, ...drawing } = isEarly
      ? ((await drawFirstRound(store, run, first, frozen, check.inOrder)) ?? ALL)
      : await draw(store, asked, check);
    const limits = group.map((engine) => engine.limits);
    const profiles = await profileInputs(
      predicted(store, asked, drawing.pick, check.also),
      limits,
      (entries) => {
        look.takeInputs(entries);
        return check.look(entries);
      },
    );
    const drawn = { ...drawing, sample: sample() };
    const labels = (await check.finish()) ?? null;
    const slices = look.finish();
    const isSampled = original === null && isPlain && (isCsv(contentType) || /json/i.test(contentType));
    let texts: readonly SampledText[] = [];
    for (const [at, { name }] of group.entries()) {
      const profile = profiles[at];
      if (profile === undefined) continue;
      // Engines that send the same inputs have the same texts.
      const isOther = profile.sample.some((input, place) => input.name !== profiles[0]?.sample[place]?.name);
      if (isSampled && (at === 0 || isOther))
        texts = await sampleTexts(store.in(frozen.sourceBucket), profile.sample);
      found.set(name, { drawn, profile, labels, slices, texts });
    }
  }
  return found;
}

/** Decides which part of its manifest a run predicts: a sample if configured and the drop has more, else all. */
async function draw(
  store: ObjectStore,
  { run, frozen, original, configuration }: Asked,
  { inOrder }: Pick<TruthCheck, 'inOrder'>,
): Promise<Draw> {
  if (original?.purpose === 'rescore') return { ...ALL, sample: () => original.plan.sample };
  const { config, sampleFile: file } = configuration;
  const { sample, labels } = config;
  if (sample === null) return ALL;
  const keyOf = keyOfName(opensFiles({ ...config.transform, columns: config.columns }));
  const folderOf = truthByFolder(frozen.sourcePrefix);
  const byFolder = () => (name: string) => folderOf(keyOf(name));
  const strata = sample.by === 'class' ? inOrder : byFolder;
  if (strata === undefined && labels.truth?.from === 'key') return refusedSample(slowPattern(file));
  // Without labels to draw by the run is refused for these.
  if (strata === undefined) return ALL;
  return (await drawSample(store, run, { ...sample, file, frozen, strata })) ?? ALL;
}

function slowPattern(file: SampleFile): Problem {
  const message =
    'must be "folder" or "none" where the pattern of labels.truth is one that only RE2 reads, which takes up to ' +
    'milliseconds a key: use another sample.by, or a plainer pattern';
  return { file, field: 'sample.by', value: 'class', message };
}

/** The inputs that a run would predict, in their order, before the list of them is written. */
function predicted(
  store: ObjectStore,
  { run, original }: Asked,
  pick: Draw['pick'],
  also: TruthCheck['also'],
): AsyncIterable<Input & { readonly isSent: boolean }> {
  const of = original === null ? undefined : RunParts.parse(original.plan.run);
  if (of !== undefined && original?.purpose === 'rescore') return markSent(readSampleOf(store, run, of));
  const all = readInputsWithCopies(store, run);
  return markSent(pick === null ? all : pick(passing(all, also)), of && readListed(store, of));
}

/** Inputs that are looked at as they pass. */
async function* passing(inputs: AsyncIterable<Input>, look: TruthCheck['also']): AsyncGenerator<Input> {
  for await (const input of inputs) {
    look?.(input);
    yield input;
  }
}

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
