import * as z from 'zod';

/** One thing that keeps a run from starting; the run's `problems.json` lists them all. */
export const Problem = z.object({
  /** The file to edit, as the reader knows it: `pipeline.json`, `job.json`, `model.tar.gz`, … */
  file: z.string(),
  /** Dotted path within the file; empty for the file as a whole. */
  field: z.string(),
  /** The current value as JSON, shortened; empty where there is none. */
  value: z.string(),
  /** What is wrong, the allowed value, and what to do. */
  message: z.string(),
});
export type Problem = z.infer<typeof Problem>;
