import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Frozen } from '../../drop/frozen.ts';
import { readArchive } from '../../model/read-archive.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { resolveGate } from '../../pipeline/resolve-gate.ts';
import { candidateBaseline } from '../../plan/candidate.ts';
import { isLossDecidedEarly } from '../../plan/early-problems.ts';
import { engineOf } from '../../plan/engine-of.ts';
import type { Sending } from '../../plan/engine-planning.ts';
import { functionArchiveProblems } from '../../plan/function-archive.ts';
import { isLabelGate } from '../../plan/gate-problems.ts';
import type { JudgedConfiguration } from '../../plan/judge-configuration.ts';
import type { Findings } from '../../plan/judge-findings.ts';
import { isCsv } from '../../plan/judge-header.ts';
import { judgeLabels } from '../../plan/judge-labels.ts';
import type { Plan } from '../../plan/plan.ts';
import { servedArchive } from '../../plan/served-archive.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { labelColumns } from '../../slice/dimension.ts';
import { engineRules } from '../../transform/engine-rules.ts';
import { isOneRecord } from '../../transform/one-record.ts';
import { openOutputs } from '../outputs/open-outputs.ts';
import { checkTruth } from './check-truth.ts';
import { findBaseline, previousRun } from './find-baseline.ts';
import { preflightModel } from './preflight-model.ts';
import { type InputProfile, profileInputs, type RunInputs } from './profile-inputs.ts';
import { sampleRecords } from './sample-records.ts';
import { SliceLook } from './slice-look.ts';
import { takeSample, takeSampleOf } from './take-sample.ts';

/** A run's configuration and its frozen inputs. */
export interface Sources {
  readonly configuration: JudgedConfiguration;
  readonly frozen: Frozen;
  /** The run whose sample this one leaves out; null for others. */
  readonly continues: RunParts | null;
  /** Key prefix below which jobs find the inputs, where their names are not their keys. */
  readonly unpacked: string | null;
  readonly sending: Sending;
}

/**
 * Reads model, inputs, labels and baseline.
 *
 * @param original the plan of the run whose predictions are scored again: its model was read then
 */
export async function gatherFindings(
  store: ObjectStore,
  run: RunParts,
  sources: Sources,
  readBuckets: readonly string[],
  original?: Plan,
): Promise<Findings & { readonly profile: InputProfile }> {
  const { config, processing } = sources.configuration;
  const { candidate } = sources.frozen;
  const kept = original === undefined ? undefined : readBefore(store, config, original);
  const isWhole = original === undefined && isLossDecidedEarly(config.gate);
  const comparing =
    candidate === undefined
      ? findBaseline(store, run, config.report.baseline, { predictedBy: original?.run, isWhole })
      : Promise.resolve(candidateBaseline(candidate));
  // Without a run to compare with every loss would pass: the run predicts all, so that later ones can be compared with it.
  const isAlone = isWhole && (await comparing).baseline?.run === null;
  const { engine } = config.transform;
  const isBundled =
    sources.sending.bundle !== null && engine !== 'auto' && engineRules({ name: engine }).readsBundles;
  const [preflight, { profile, labelled, sampled, sliced }, compared, previous] = await Promise.all([
    kept ?? preflightModel(store, run, { config, readBuckets, isBundled }),
    lookAtInputs(store, run, sources, { original, isAlone }),
    comparing,
    previousRun(store, run),
  ]);
  const isLines = config.transform.splitType === 'Line';
  const inputs = store.in(sources.frozen.sourceBucket);
  const isJson = preflight.answers?.isPlain === true && /json/i.test(config.transform.contentType);
  if (original !== undefined)
    return { preflight, profile, labelled, sampled, sliced, compared, previous, samples: [] };
  const isSampled = processing !== undefined || isCsv(config.transform.contentType) || isJson;
  const samples = isSampled ? await sampleRecords(inputs, profile.sample, isLines) : [];
  return { preflight, profile, labelled, sampled, sliced, compared, previous, samples };
}

/** The model of a run whose predictions are scored again; its archive is read again only where a function is to serve it now. */
async function readBefore(
  store: ObjectStore,
  { endpoint }: PipelineConfig,
  { model }: Plan,
): Promise<Findings['preflight']> {
  const kept = { model, problems: [] };
  if (endpoint.deploy === 'never' || endpoint.type !== 'lambda') return kept;
  const found = await store.open(bucketLayout.model(servedArchive(model).sha256));
  const archive = found && (await readArchive(found.body));
  if (archive === undefined || 'reason' in archive) return kept;
  return { ...kept, functionReasons: functionArchiveProblems(archive, model) };
}

/** A run, and the settings that decide which inputs are sent. */
export function runInputs(
  store: ObjectStore,
  run: RunParts,
  { configuration, frozen, continues, sending }: Sources,
): RunInputs {
  return {
    run,
    continues,
    isTooLong: openOutputs(store, run, {
      input: { prefix: frozen.sourcePrefix },
      outputs: sending.outputs,
      predictions: null,
      continues: null,
    }).isTooLong,
    largestAllowedBytes: engineOf(configuration.config).largestAllowedBytes(
      configuration.config,
      sending.bundle,
    ),
  };
}

async function lookAtInputs(
  store: ObjectStore,
  run: RunParts,
  sources: Sources,
  { original, isAlone }: { readonly original: Plan | undefined; readonly isAlone: boolean },
): Promise<{ readonly profile: InputProfile } & Pick<Findings, 'labelled' | 'sampled' | 'sliced'>> {
  const { configuration, frozen } = sources;
  const { config, classes, hasTruth, labelsFile } = configuration;
  const oneRecord = isOneRecord(config.transform);
  const look = new SliceLook(configuration.slices, config.gate?.slices, frozen.sourcePrefix);
  const checked = await checkTruth(store, run, {
    ...config,
    ...config.labels,
    truth: hasTruth ? config.labels.truth : null,
    classes,
    input: { bucket: frozen.sourceBucket, prefix: frozen.sourcePrefix },
    isOneRecord: oneRecord,
    columns: labelColumns(configuration.slices.dimensions),
    onRow: (row) => look.takeRow(row),
  });
  const sampled =
    original === undefined || sources.continues !== null
      ? await takeSample(store, run, { ...sources, isWhole: isAlone }, checked)
      : await takeSampleOf(store, run, original);
  const profile = await profileInputs(store, runInputs(store, run, sources), (entries) => {
    look.takeInputs(entries);
    return checked.look(entries);
  });
  const found = await checked.finish();
  // A drop that has nothing to send is refused for that alone.
  const isGated = isLabelGate(config.gate) && profile.sent.count > 0;
  // A training that has too few files to judge its model is paid for already, and ends without a verdict. Further rounds may
  // have more labels than the first.
  const asked =
    frozen.candidate === undefined && sampled.rounds === undefined ? resolveGate(config)?.minInputs : 1;
  const minInputs = isGated ? asked : undefined;
  const judged =
    found && judgeLabels({ ...found, ...config.labels, labelsFile, minInputs, isOneRecord: oneRecord });
  const { file, index } = checked;
  const problems = [...checked.problems, ...(judged?.problems ?? [])];
  return {
    profile,
    sampled,
    sliced: look.finish(profile.sent, config.limits.inputsPerShard),
    labelled: { problems, notes: judged?.notes ?? [], check: found?.check ?? null, file, index },
  };
}
