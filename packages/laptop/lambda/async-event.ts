import * as z from 'zod';

/** An event that waits for its function, as it is stored. */
export const AsyncEvent = z.object({
  /** Id of the request that brought it, and of each of its attempts. */
  id: z.string(),
  /** A function's name or ARN, with or without version. */
  target: z.string(),
  /** In Base64. */
  payload: z.string(),
  queuedMs: z.number(),
});

export type AsyncEvent = z.infer<typeof AsyncEvent>;
