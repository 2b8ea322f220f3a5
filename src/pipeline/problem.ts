import * as z from 'zod';

/** One thing that keeps a run from starting. */
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

/** `problems.json`: everything that is wrong with a refused run. */
export const Problems = z.object({ schema: z.literal(1), problems: z.array(Problem).min(1) });
export type Problems = z.infer<typeof Problems>;
