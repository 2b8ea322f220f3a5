import * as z from 'zod';

/** One thing that keeps a run from starting; the run's `problems.json` lists them all. */
export const Problem = z.object({
  /** The file to edit, as the reader knows it: `pipeline.json`, `job.json`, `model.tar.gz`, … */
  file: z.string(),
  /** Dotted path within the file; empty for the file as a whole. */
  field: z.string(),
  /** The current value as JSON, shortened; empty if there is none. */
  value: z.string(),
  /** Sentence that says what is wrong, the allowed value, and what to do. */
  message: z.string(),
  /** The sentence without the alternative, for a plan that may take the alternative on its own. */
  reason: z.string().optional(),
});
export type Problem = z.infer<typeof Problem>;

/** `pipeline.json: transform.maxPayloadInMB must be "auto" or 1..100, is 500`. */
export function problemLine({ file, field, message }: Pick<Problem, 'file' | 'field' | 'message'>): string {
  return field === '' ? `${file} ${message}` : `${file}: ${field} ${message}`;
}
