import * as z from 'zod';

/** Configuration of a function, as it is stored. */
export const FunctionConfig = z.object({
  /** File and export, in the form `path/file.export`. */
  handler: z.string(),
  runtime: z.string(),
  /** Where the code was unzipped, below the service's directory; one folder for each content. */
  codeFolder: z.string(),
  codeSha256: z.string(),
  codeSize: z.number(),
  environment: z.record(z.string(), z.string()),
  timeoutSeconds: z.number(),
  memoryMb: z.number(),
  reservedConcurrency: z.number().optional(),
  logGroup: z.string(),
  logFormat: z.enum(['JSON', 'Text']),
  applicationLogLevel: z.string().optional(),
  systemLogLevel: z.string().optional(),
  role: z.string(),
  description: z.string(),
  architecture: z.string(),
  /** Queue or topic for asynchronous events that failed for good. */
  deadLetterArn: z.string().optional(),
});
export type FunctionConfig = z.infer<typeof FunctionConfig>;

/** A function, as it is stored. */
export const FunctionRecord = z.object({
  name: z.string(),
  latest: FunctionConfig,
  modifiedMs: z.number(),
});
export type FunctionRecord = z.infer<typeof FunctionRecord>;
