import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { dropFileKeys, LABEL_FILE_NAMES } from '../../../drop/drop-key.ts';
import { changedLabels } from '../../../label/label-changes.ts';
import type { TruthSource } from '../../../pipeline/label-settings.ts';
import { actsByItself } from '../../../pipeline/resolve-gate.ts';
import { candidateBaseline } from '../../../plan/decide/candidate.ts';
import { engineAsked } from '../../../plan/engine/engine-asked.ts';
import { enginesFor } from '../../../plan/engine/engine-config.ts';
import type { Asked, Found, FoundModel, OpenedInputs } from '../../../plan/found.ts';
import { isLossDecidedEarly } from '../../../plan/judge/gate-problems.ts';
import { answeringModel } from '../../../plan/judge/judge-archive.ts';
import { RunParts, toRunId } from '../../../run/run-id.ts';
import { freezingMark, hasDropFile } from '../../records/drop.ts';
import { hasRows } from '../../records/judged-run.ts';
import { refusalJson } from '../../records/refusal.ts';
import { reportFigures } from '../../records/run-index.ts';
import { findBaseline, previousRun } from './find-baseline.ts';
import { readLabelFile } from './label-file.ts';
import { readInputs } from './read-inputs.ts';
import { readKeptModel, readModel } from './read-model.ts';

/** Runs that each shard looks through at most. */
const MAX_RUNS = 8;

/**
 * Reads model, labels, inputs and baseline of a run, for every engine that it may take. Writes nothing.
 *
 * @param known the model, if it has been read
 */
export async function readFound(
  asked: Asked,
  opened: OpenedInputs,
  store: ObjectStore,
  known?: FoundModel,
): Promise<Found> {
  const { run, frozen, original, configuration, settings } = asked;
  const { config } = configuration;
  const engines = enginesFor(config).map((name) => engineAsked(asked, name, opened));
  const [engine] = engines;
  const isWhole = original === null && isLossDecidedEarly(config.gate);
  const comparing =
    frozen.candidate === undefined
      ? findBaseline(store, run, config.report.baseline, { predictedBy: original?.plan.run, isWhole })
      : Promise.resolve(candidateBaseline(frozen.candidate));
  const modeling =
    original === null
      ? (known ?? readModel(store, run, { config, readBuckets: settings.readBuckets }))
      : readKeptModel(store, config, original);
  const [model, compared, previous, unread, refusal, mark, labelFile] = await Promise.all([
    modeling,
    comparing,
    previousRun(store, run),
    noteUnreadLabels(store, run, config.labels.truth),
    refusalJson(run).read(store),
    freezingMark(run).read(store),
    engine === undefined ? null : readLabelFile(store, asked, engine.configuration),
  ]);
  const since = await labelsSince(store, asked, { compared, previous });
  const { archive } = model;
  const inputs = await readInputs(store, asked, engines, {
    labelFile,
    // Without a run to compare with every loss would pass: the run predicts all, so that later ones can be compared with it.
    isAlone: isWhole && compared.baseline?.run === null,
    isPlain: archive !== undefined && !('reason' in archive) && answeringModel(archive, config.model).isPlain,
  });
  const isCutShort = original === null && mark?.isCut === true;
  return {
    ...asked,
    opened,
    model,
    compared,
    previous,
    since,
    unread,
    refusal,
    labelFile,
    isCutShort,
    inputs,
  };
}

/**
 * The runs that have answered the same inputs before, as far as they matter: the one that this manifest comes from, the one that
 * it's compared with, and, if something follows from the gate, the previous one. A run that changed labels itself adds the runs
 * that it compared with, so that a second run can't make a change look old.
 */
export async function labelsSince(
  store: ObjectStore,
  { run, frozen, configuration: { config } }: Asked,
  { compared, previous }: Pick<Found, 'compared' | 'previous'>,
): Promise<readonly string[]> {
  const { truth } = config.labels;
  if (truth === null || frozen.trial !== undefined) return [];
  const { origin } = frozen;
  const isActing = actsByItself(config) || frozen.candidate !== undefined;
  const asked = [
    origin.mode === 'drop' ? null : origin.of,
    compared.baseline?.run ?? null,
    isActing ? (previous?.run ?? null) : null,
  ];
  const found: string[] = [];
  for (const name of new Set(asked)) {
    if (name === null || name === toRunId(run)) continue;
    const parts = RunParts.parse(name);
    if (!(await hasRows(store, parts))) continue;
    const changes = (await reportFigures(parts).read(store))?.labelChanges ?? null;
    const before = changes !== null && changedLabels(changes) > 0 ? changes.since : [];
    for (const earlier of before) if (await hasRows(store, RunParts.parse(earlier))) found.push(earlier);
    found.push(name);
  }
  return [...new Set(found)].slice(0, MAX_RUNS);
}

/**
 * Notes label files of the drop that the settings don't read, since the uploader may expect them to be read, and one that is
 * still to come.
 */
export async function noteUnreadLabels(
  store: ObjectStore,
  run: RunParts,
  truth: TruthSource,
): Promise<readonly string[]> {
  const read = truth?.from === 'file' ? truth.path : undefined;
  const others = LABEL_FILE_NAMES.filter((name) => name !== read);
  const [isThere, ...found] = await Promise.all(
    [read, ...others].map(async (name) => name !== undefined && (await hasDropFile(store, run, name))),
  );
  const isMissing = read !== undefined && isThere === false;
  const [place] = dropFileKeys(run, read ?? '');
  const instead = truth === null ? 'null' : `{"from": "${truth.from}"}`;
  return [
    ...(isMissing
      ? [`${read} is not there: predictions without figures. Upload it later to ${place}: no job runs again`]
      : []),
    ...others
      .filter((_, index) => found[index])
      .map((name) =>
        read === undefined
          ? `${name} is not read: labels.truth is ${instead}, and {"from": "file", "path": "${name}"} would read it`
          : `${name} is not read: labels.truth reads ${read}`,
      ),
  ];
}
