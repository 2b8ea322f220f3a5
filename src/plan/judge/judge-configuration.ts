import type { DropProblem } from '../../drop/frozen.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { toShownValue } from '../../pipeline/shown-value.ts';
import type { PriceOverride } from '../../price/price-override.ts';
import type { Problem } from '../../problem/problem.ts';
import { unlessOn } from '../../problem/unless-on.ts';
import type { MeasuredSpeed } from '../../transform/measured-speed.ts';
import type { EngineConfig } from '../engine/engine-config.ts';
import { planningOf } from '../engine/engine-of.ts';
import type { ResolvedPrices } from '../quote/resolve-cost.ts';
import { columnProblems } from './column-problems.ts';
import { earlyProblems, gateProblems } from './gate-problems.ts';
import { resolveClasses, truthProblems } from './resolve-labels.ts';
import { type ResolvedSlices, resolveSlices } from './resolve-slices.ts';
import { type SampleFile, sampleProblems } from './sample-problems.ts';

/** SageMaker's pattern of an S3Uri is `(https|s3)://([^/]+)/?(.*)`, in which no line break fits: \n, \r, NEL, U+2028, U+2029. */
const LINE_BREAK = /[\n\r\u0085\u2028\u2029]/;

/** The configuration files of a run. */
export interface Configuration {
  /** Without the fields in `problems`; undefined if the rest cannot be judged. */
  readonly config: PipelineConfig | undefined;
  /** Text of the file that `labels.classes` names. */
  readonly classesText: string | undefined;
  /** The file that `labels` comes from. */
  readonly labelsFile: 'pipeline.json' | 'job.json';
  /** The file that `sample` comes from. */
  readonly sampleFile: SampleFile;
  readonly prices: PriceOverride | undefined;
  /** Measurements of the pipeline's probes. */
  readonly speeds: readonly MeasuredSpeed[];
  /** Fields of job.json that keep the run from being deployed. */
  readonly judgedByDrop: readonly string[];
  /** `judgingDigest` of only pipeline.json; null if it can't be read. */
  readonly judging: string | null;
  readonly problems: readonly Problem[];
}

/** A configuration with its references resolved, and its problems. */
export interface JudgedConfiguration extends Configuration {
  readonly config: EngineConfig;
  readonly classes: readonly string[];
  readonly hasClasses: boolean;
  /** Whether classes and `labels.truth` are right, so that labels can be checked. */
  readonly hasTruth: boolean;
  /** Undefined if there are problems. */
  readonly imageUri: string | undefined;
  readonly resolvedPrices: ResolvedPrices;
  readonly slices: ResolvedSlices;
  /** Problems in addition to `problems`; fields that depend on one of those are judged when it is corrected. */
  readonly further: readonly Problem[];
}

/** Problems of the drop's name, its own files, and the text of the configuration, each once. */
export function writtenProblems(
  drop: string,
  ofDrop: readonly DropProblem[] | undefined,
  { problems }: Pick<Configuration, 'problems'>,
): readonly Problem[] {
  const found: Problem[] = [
    ...dropNameProblems(drop),
    ...(ofDrop ?? []).map((problem) => ({ ...problem, value: toShownValue(problem.value) })),
  ];
  for (const problem of problems)
    if (!found.some(({ file, field }) => file === problem.file && field === problem.field))
      found.push(problem);
  return found;
}

/** Judges a configuration as far as possible without model and inputs. */
export function judgeConfiguration(
  configuration: Configuration & { readonly config: EngineConfig },
  region: string,
): JudgedConfiguration {
  const { config, labelsFile, problems: wrong } = configuration;
  const labels = resolveClasses(config.labels.classes, configuration.classesText, labelsFile);
  const engine = planningOf(config.transform.engine).judge({
    config,
    region,
    prices: configuration.prices,
    wrong,
  });
  const truth = truthProblems(config.labels.truth, labelsFile);
  const slices = resolveSlices(config);
  return {
    ...configuration,
    classes: labels.classes,
    hasClasses: labels.problems.length === 0,
    hasTruth: labels.problems.length + truth.length === 0,
    imageUri: engine.imageUri,
    resolvedPrices: engine.prices,
    slices,
    further: [
      ...unlessOn(['labels.classes'], wrong, labels.problems),
      ...truth,
      ...unlessOn(['columns', 'labels.truth', 'transform'], wrong, columnProblems(config, labelsFile)),
      ...unlessOn(['gate', 'report.baseline', 'labels.classes'], wrong, gateProblems(config, labels.classes)),
      ...unlessOn(
        ['sample', 'labels.truth', 'transform', 'gate'],
        wrong,
        sampleProblems(config, configuration.sampleFile),
      ),
      ...unlessOn(
        ['gate', 'sample', 'labels.truth', 'transform'],
        wrong,
        earlyProblems(config, labels.classes),
      ),
      ...unlessOn(['report.slices', 'gate.slices', 'labels.truth', 'transform'], wrong, slices.problems),
      ...engine.problems,
    ],
  };
}

/** Problem of a drop with a name that S3 allows in keys, but SageMaker, or a reader of the link to its report, doesn't. */
export function dropNameProblems(drop: string): Problem[] {
  const value = JSON.stringify(drop);
  if (drop === '.' || drop === '..') {
    const message =
      `must not be a step between folders, is ${value}: browsers take it in a link for one, and could not open the ` +
      'report; upload the files under another name';
    return [{ file: 'drop', field: '', value, message }];
  }
  if (!LINE_BREAK.test(drop)) return [];
  const message =
    `must have no line break in its name, is ${value}: SageMaker takes none in an address; upload the files under ` +
    'another name';
  return [{ file: 'drop', field: '', value, message }];
}
