import * as z from 'zod';
import { expressionIn } from '../expression/compile.ts';
import type { Json } from '../json.ts';

/** Any JSON, in which strings may be expressions. */
const Template = z.custom<Json>(() => true).optional();
const Assign = z
  .record(
    z.string(),
    z.custom<Json>(() => true),
  )
  .optional();
const Expression = z
  .string()
  .refine((text) => expressionIn(text) !== undefined, 'must be a number or a JSONata expression {% … %}');
const Whole = (least: number, most = 99_999_999) =>
  z.union([z.number().int().min(least).max(most), Expression]).optional();
const Name = z.string().min(1).max(80);

const Any = {
  Comment: z.string().optional(),
  QueryLanguage: z.literal('JSONata').optional(),
  Output: Template,
};
const Flow = { ...Any, Assign, Next: Name.optional(), End: z.boolean().optional() };

const ErrorEquals = z.array(z.string().min(1)).min(1);

const Retrier = z.strictObject({
  Comment: z.string().optional(),
  ErrorEquals,
  IntervalSeconds: z.number().int().min(1).max(99_999_999).default(1),
  MaxAttempts: z.number().int().min(0).max(99_999_999).default(3),
  BackoffRate: z.number().min(1).default(2),
  MaxDelaySeconds: z.number().int().min(1).max(31_622_400).optional(),
  JitterStrategy: z.enum(['FULL', 'NONE']).default('NONE'),
});
export type Retrier = z.infer<typeof Retrier>;

const Catcher = z.strictObject({
  Comment: z.string().optional(),
  ErrorEquals,
  Next: Name,
  Assign,
  Output: Template,
});
export type Catcher = z.infer<typeof Catcher>;

const Guarded = { ...Flow, Retry: z.array(Retrier).default([]), Catch: z.array(Catcher).default([]) };

const ChoiceRule = z.strictObject({
  Comment: z.string().optional(),
  Condition: z.union([z.boolean(), Expression]),
  Next: Name,
  Assign,
  Output: Template,
});

/** A Resource with only one emulated call. */
const OnlyCall = (call: string) =>
  z
    .string()
    .refine(
      (resource) => resource.endsWith(`:states:::${call}`),
      `The local stack does not emulate any other Resource here than arn:aws:states:::${call}`,
    );

const ItemReader = z.strictObject({
  Resource: OnlyCall('s3:getObject'),
  Arguments: Template,
  ReaderConfig: z.strictObject({
    InputType: z
      .string()
      .refine((type) => type === 'JSON', 'The local stack does not emulate any other InputType than JSON'),
  }),
});

/** AWS also limits batches by bytes and gives them a common input. */
const ItemBatcher = z.strictObject({ MaxItemsPerBatch: Whole(1).unwrap() });

const ResultWriter = z.strictObject({ Resource: OnlyCall('s3:putObject'), Arguments: Template });

/** Fields that AWS knows and this stack refuses by name. */
export const NOT_EMULATED: ReadonlySet<string> = new Set([
  'Credentials',
  'HeartbeatSeconds',
  'MaxInputBytesPerBatch',
  'BatchInput',
  'ToleratedFailureCount',
  'ToleratedFailurePercentage',
  'WriterConfig',
  'MaxItems',
  'ItemsPointer',
  'CSVHeaderLocation',
  'CSVHeaders',
  'CSVDelimiter',
  'ManifestType',
]);

/** Fields of each type of state, in the JSONata form of the language. Blocks inside blocks are parsed on their own. */
export const stateFields = {
  Pass: z.strictObject({ Type: z.literal('Pass'), ...Flow }),
  Task: z.strictObject({
    Type: z.literal('Task'),
    ...Guarded,
    Resource: z.string().min(1),
    Arguments: Template,
    TimeoutSeconds: Whole(1),
  }),
  Choice: z.strictObject({
    Type: z.literal('Choice'),
    ...Any,
    Assign,
    Choices: z.array(ChoiceRule).min(1),
    Default: Name.optional(),
  }),
  Wait: z.strictObject({
    Type: z.literal('Wait'),
    ...Flow,
    Seconds: Whole(0),
    Timestamp: z.string().optional(),
  }),
  Succeed: z.strictObject({ Type: z.literal('Succeed'), ...Any }),
  Fail: z.strictObject({
    Type: z.literal('Fail'),
    Comment: z.string().optional(),
    QueryLanguage: z.literal('JSONata').optional(),
    Error: z.string().optional(),
    Cause: z.string().optional(),
  }),
  Map: z.strictObject({
    Type: z.literal('Map'),
    ...Guarded,
    Items: Template,
    ItemReader: ItemReader.optional(),
    ItemSelector: Template,
    ItemBatcher: ItemBatcher.optional(),
    ResultWriter: ResultWriter.optional(),
    ItemProcessor: z.unknown(),
    MaxConcurrency: Whole(0, 10_000),
    Label: z
      .string()
      .regex(/^[\w-]+$/, 'must be letters, digits, hyphens or underscores')
      .optional(),
  }),
} as const;

const ProcessorConfig = z.strictObject({
  Mode: z.enum(['INLINE', 'DISTRIBUTED']).optional(),
  ExecutionType: z.literal('STANDARD', 'this stack runs STANDARD child executions only').optional(),
});

/** The outermost object of a definition, but its states. */
export const machineFields = z.strictObject({
  Comment: z.string().optional(),
  QueryLanguage: z.literal('JSONata').optional(),
  Version: z.literal('1.0').optional(),
  TimeoutSeconds: z.number().int().min(1).max(99_999_999).optional(),
  StartAt: z.string(),
  States: z.record(z.string(), z.unknown()),
});

/** The block that a Map runs for each item. */
export const blockFields = z.strictObject({
  Comment: z.string().optional(),
  QueryLanguage: z.literal('JSONata').optional(),
  ProcessorConfig: ProcessorConfig.optional(),
  StartAt: z.string(),
  States: z.record(z.string(), z.unknown()),
});
