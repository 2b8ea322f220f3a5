import type { AnsweringModel } from '../../frameworks/archive.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import type { Problem } from '../../problem/problem.ts';
import { unlessOn } from '../../problem/unless-on.ts';
import { resolveEndpoint } from '../endpoint/resolve-endpoint.ts';
import { bestJudged, onEngine } from '../engine/engine-config.ts';
import { judgeAnswers, passedOnNotes } from './judge-answers.ts';
import { type Configuration, judgeConfiguration } from './judge-configuration.ts';

/** The archive of a pipeline, as far as it could be read. */
export interface KnownModel {
  readonly answers?: AnsweringModel | undefined;
  readonly sizeBytes?: number | undefined;
  /** Why a function cannot run it. */
  readonly functionReasons?: readonly string[] | undefined;
}

/** Problems for which any run of a pipeline would be refused, and notes for the reader, in sentences. */
export interface JudgedPipeline {
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
}

/** Judges a pipeline before there are files for it; settings that depend on the files of a run are judged by the run's plan. */
export function judgePipeline(
  configuration: Configuration & { readonly config: PipelineConfig },
  { answers, sizeBytes, functionReasons = [] }: KnownModel,
  region: string,
): JudgedPipeline {
  const judged = bestJudged(
    configuration.config,
    (engine) =>
      judgeConfiguration({ ...configuration, config: onEngine(configuration.config, engine) }, region),
    ({ further }) => further,
  );
  const { config, classes, hasClasses, labelsFile, prices, problems: wrong } = judged;
  const labels = { ...config.labels, classes };
  const answered = answers && hasClasses ? judgeAnswers(labels, answers, labelsFile) : undefined;
  const { endpoint } = config;
  const served = resolveEndpoint(config, {
    region,
    prices,
    hasVpc: false,
    archiveBytes: sizeBytes,
    largestObjectBytes: 0,
    functionReasons,
  });
  return {
    problems: [
      ...judged.further,
      ...unlessOn(['labels', 'model', 'transform'], wrong, answered?.problems ?? []),
      ...unlessOn(['endpoint', 'gate', 'model', 'transform'], wrong, served.problems),
    ],
    notes: [
      ...(answered?.notes ?? []),
      ...(answers && hasClasses && config.model.image === null ? passedOnNotes(labels, answers) : []),
      ...(endpoint.deploy === 'never' ? [] : served.notes),
    ],
  };
}
