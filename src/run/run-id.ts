import * as z from 'zod';
import { RUN_KIND_NAMES, RUN_KINDS, type RunKind, splitRunKind } from './run-kind.ts';

/** First character of the drops that stand for evaluation sets; no upload below `incoming/` can name such a drop. */
const MARK = '@';

const NAME = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/;
const GENERATION = /^\d{6}(?:[cprs]\d{1,4})?$/;

/** The files that runs of one kind take in one after another. */
export interface DropParts {
  readonly kind: RunKind;
  readonly pipeline: string;
  /** Name of the folder below `incoming/<pipeline>/` or `training/<pipeline>/`; `default` for files directly under the pipeline. */
  readonly drop: string;
}

/** One processing of a drop. */
export interface RunParts extends DropParts {
  /** `000001`, `000002`, … or `000001r2`: the same manifest run a second time; or `000001s1`: its predictions scored again. */
  readonly generation: string;
}

/**
 * Parses `<pipeline>/<drop>/<generation>`, or `training/` before it; undefined if the text is not a run. A drop's name may be any
 * S3 key part.
 */
export function parseRunId(text: string): RunParts | undefined {
  const { kind, rest } = splitRunKind(text);
  const [pipeline, drop, generation, ...more] = rest.split('/');
  if (pipeline === undefined || drop === undefined || generation === undefined || more.length > 0)
    return undefined;
  if (!isPipelineName(pipeline) || drop === '' || !GENERATION.test(generation)) return undefined;
  return { kind, pipeline, drop, generation };
}

/** The one string that names a run everywhere: folder, log key, SageMaker tag, SNS attribute, CLI argument. */
export function toRunId(run: RunParts): string {
  return `${toDropId(run)}/${run.generation}`;
}

/** The beginning of the names of a drop's runs: `<pipeline>/<drop>`, or `training/` before it. */
export function toDropId({ kind, pipeline, drop }: DropParts): string {
  return `${RUN_KINDS[kind].prefix}${pipeline}/${drop}`;
}

/**
 * Whether a name is a valid one of a pipeline, which is in lower case so that names of jobs, models and endpoints can be
 * derived from it.
 */
export function isPipelineName(name: string): boolean {
  return pipelineNameProblem(name) === undefined;
}

/** Problem of a pipeline's name, to follow the word for it in a message; undefined if the name is valid. */
export function pipelineNameProblem(name: string): string | undefined {
  const reserving = RUN_KIND_NAMES.find((kind) => RUN_KINDS[kind].prefix === `${name}/`);
  if (reserving !== undefined)
    return `must be another name than ${name}, which is the name of the folders of ${RUN_KINDS[reserving].noun}s`;
  if (NAME.test(name)) return undefined;
  return `must be 1 to 64 of a-z 0-9 . _ - and begin and end with a letter or digit, is ${JSON.stringify(name)}`;
}

const MUST_BE = 'must be <pipeline>/<drop>/<generation>, as in cifar10/monday/000001';

/** Schema of a run's name in a document that keeps it as text. */
export const RunId = z.string().refine((text) => parseRunId(text) !== undefined, { message: MUST_BE });

/** Schema of a run's name at an edge: gives its parts. */
export const RunParts = z.string().transform((text, { issues }): RunParts => {
  const run = parseRunId(text);
  if (run !== undefined) return run;
  issues.push({ code: 'custom', input: text, message: MUST_BE });
  return z.NEVER;
});

/** The drop for runs that judge models by the files of `pipelines/<pipeline>/evaluation/<name>/`. */
export function evaluationDrop(name: string): string {
  return `${MARK}${name}`;
}

/** Name of the evaluation set that a drop stands for; undefined for a drop of uploads. */
export function evaluationOf(drop: string): string | undefined {
  return drop.startsWith(MARK) ? drop.slice(MARK.length) : undefined;
}
