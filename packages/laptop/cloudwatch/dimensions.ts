import * as z from 'zod';

/** Dimensions as the API has them; the result is a plain record. */
export const Dimensions = z
  .array(z.strictObject({ Name: z.string().min(1).max(255), Value: z.string().min(1).max(1024) }))
  .max(30)
  .default([])
  .transform((list) => Object.fromEntries(list.map(({ Name, Value }) => [Name, Value])));
