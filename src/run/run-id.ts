import * as z from 'zod';

const NAME = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/;
const GENERATION = /^\d{6}(?:r\d{1,4})?$/;

/** One processing of a drop. */
export interface RunParts {
  readonly pipeline: string;
  /** Name of the folder below `incoming/<pipeline>/`; `default` for files directly under the pipeline. */
  readonly drop: string;
  /** `000001`, `000002`, … or `000001r2`: the second rerun of the same manifest. */
  readonly generation: string;
}

/** Parses `<pipeline>/<drop>/<generation>`; undefined where the text is not a run. A drop's name may be any S3 key part. */
export function parseRunId(text: string): RunParts | undefined {
  const [pipeline, drop, generation, ...rest] = text.split('/');
  if (pipeline === undefined || drop === undefined || generation === undefined || rest.length > 0)
    return undefined;
  if (!isPipelineName(pipeline) || drop === '' || !GENERATION.test(generation)) return undefined;
  return { pipeline, drop, generation };
}

/** The one string that names a run everywhere: folder, log key, SageMaker tag, SNS attribute, CLI argument. */
export function toRunId({ pipeline, drop, generation }: RunParts): string {
  return `${pipeline}/${drop}/${generation}`;
}

/** Pipelines are named in lower case so that names of jobs, models and endpoints can be derived from them. */
export function isPipelineName(name: string): boolean {
  return NAME.test(name);
}

const MUST_BE = 'must be <pipeline>/<drop>/<generation>, as in cifar10/monday/000001';

/** Schema of a run's name in a document, where it stays text. */
export const RunId = z.string().refine((text) => parseRunId(text) !== undefined, { message: MUST_BE });

/** Schema of a run's name at an edge: gives its parts. */
export const RunParts = z.string().transform((text, { issues }): RunParts => {
  const run = parseRunId(text);
  if (run !== undefined) return run;
  issues.push({ code: 'custom', input: text, message: MUST_BE });
  return z.NEVER;
});
