import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { candidateBaseline } from '../../../plan/decide/candidate.ts';
import { engineAsked } from '../../../plan/engine/engine-asked.ts';
import { enginesFor } from '../../../plan/engine/engine-config.ts';
import type { Asked, Found, FoundModel, OpenedInputs } from '../../../plan/found.ts';
import { isLossDecidedEarly } from '../../../plan/judge/early-problems.ts';
import { answeringModel } from '../../../plan/judge/judge-archive.ts';
import { freezingMark } from '../../records/drop.ts';
import { refusalJson } from '../../records/refusal.ts';
import { findBaseline, previousRun } from './find-baseline.ts';
import { readLabelFile } from './label-file.ts';
import { labelsSince } from './labels-since.ts';
import { readInputs } from './read-inputs.ts';
import { readKeptModel, readModel } from './read-model.ts';
import { noteUnreadLabels } from './unread-labels.ts';

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
