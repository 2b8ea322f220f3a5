import * as z from 'zod';

/** Frameworks whose inference containers AWS publishes and this application supports. */
export const Framework = z.enum(['tensorflow', 'pytorch']);
export type Framework = z.infer<typeof Framework>;
