import * as z from 'zod';
import { TaskResponse } from '../tasks/response.ts';

/** Answer of `POST /predict/{pipeline}`. */
export const PredictAnswer = z.object({
  pipeline: z.string(),
  run: z.string().describe('The run that let the model serve by its gate.'),
  model: z.object({ name: z.string(), sha256: z.string().describe('Digest of model.tar.gz.') }),
  variant: z.string().describe('Production variant that answered.'),
  latencyMs: z.number().min(0).describe('Milliseconds until the model had answered.'),
  predictions: z.array(TaskResponse).describe('In the order of the inputs.'),
});
export type PredictAnswer = z.infer<typeof PredictAnswer>;

/** Answer of `GET /pipelines`. */
export const PipelineList = z.object({
  pipelines: z.array(
    z.object({
      pipeline: z.string(),
      endpoint: z
        .object({
          name: z.string(),
          status: z.enum(['creating', 'in-service', 'deleting']),
          run: z.string().nullable(),
          hardware: z.string().nullable(),
          deployedAt: z.iso.datetime(),
          expiresAt: z.iso.datetime().nullable(),
        })
        .nullable()
        .describe('Null if nothing serves the pipeline.'),
    }),
  ),
});
export type PipelineList = z.infer<typeof PipelineList>;

const RunLine = z.object({
  run: z.string().describe('<pipeline>/<drop>/<generation>'),
  status: z.string(),
  endedAt: z.iso.datetime(),
  total: z.int().min(0),
  correct: z.int().min(0).nullable(),
  accuracy: z.number().nullable(),
  costUsd: z.number().nullable(),
  gate: z.enum(['passed', 'failed', 'none']),
  gateIsSet: z
    .boolean()
    .optional()
    .describe('True with gate `none`: the gate has no verdict. Absent for runs of earlier builds.'),
  rescoreOf: z
    .string()
    .nullable()
    .describe('The run with the predictions that this one has scored again; null for others.'),
  sampleOf: z
    .int()
    .min(1)
    .nullable()
    .describe('Inputs of the drop, if the run has predicted a sample of `total` of them; null for others.'),
  labeled: z
    .int()
    .min(0)
    .nullable()
    .describe("Records that `accuracy` is a share of; null if there is none or it isn't known."),
  seconds: z.number().min(0).nullable().describe("Time from the plan to the report; null if it isn't known."),
});

/** Answer of `GET /runs`. */
export const RunList = z.object({ runs: z.array(RunLine).describe('Newest first.') });
export type RunList = z.infer<typeof RunList>;

/** Answer of `GET /runs/{pipeline}/{drop}/{generation}`. */
export const RunDetails = z.object({
  run: z.string(),
  status: z
    .string()
    .describe(
      'running, or how it ended: completed, completed-with-errors, failed, canceled, refused, empty.',
    ),
  total: z.int().min(0).nullable(),
  correct: z.int().min(0).nullable(),
  errors: z.int().min(0).nullable(),
  accuracy: z.number().nullable(),
  costUsd: z.number().nullable(),
  gate: z.enum(['passed', 'failed', 'none']).nullable(),
  links: z
    .record(z.string(), z.string())
    .describe(
      "Addresses of the report's files by name; they need no credentials and work until linksExpireAt.",
    ),
  linksExpireAt: z.iso.datetime().nullable(),
});
export type RunDetails = z.infer<typeof RunDetails>;

/** Answer of `POST /runs/{pipeline}/{drop}/{generation}/rescores` and `…/continuations`. */
export const RunStarted = z.object({
  run: z.string().describe('The run that does it: <pipeline>/<drop>/<generation>.'),
});
export type RunStarted = z.infer<typeof RunStarted>;

/** Body of `POST /pipelines/{pipeline}/trainings`. */
export const TrainingRequest = z.strictObject({
  data: z
    .string()
    .regex(/^s3:\/\/[^/]+\/.+/)
    .max(1024)
    .optional()
    .describe('S3 URI of a prefix with the data. Absent: the data of the newest training.'),
  hyperparameters: z
    .record(z.string().min(1).max(256), z.union([z.string().max(2_500), z.number(), z.boolean()]))
    .default({})
    .describe("Arguments of the script that replace pipeline.json's."),
});

/** Answer of `POST /pipelines/{pipeline}/trainings`. */
export const TrainingAsked = z.object({
  training: z.string().describe('training/<pipeline>/<drop>/<generation>'),
  data: z.string().describe('S3 URI of the data.'),
});
export type TrainingAsked = z.infer<typeof TrainingAsked>;

/** Answer of `GET /pipelines/{pipeline}/trainings`. */
export const TrainingList = z.object({
  trainings: z
    .array(
      z.object({
        training: z.string(),
        status: z.string(),
        endedAt: z.iso.datetime(),
        files: z.int().min(0),
        accuracy: z.number().nullable().describe('Of the evaluation; null if there was none.'),
        costUsd: z.number().nullable(),
        gate: z.enum(['passed', 'failed', 'none']),
      }),
    )
    .describe('Newest first.'),
});
export type TrainingList = z.infer<typeof TrainingList>;

/** Answer of `GET /trainings/{pipeline}/{drop}/{generation}`. */
export const TrainingDetails = z.object({
  training: z.string(),
  status: z.string().describe('running, or how it ended: completed, failed, refused, empty.'),
  costUsd: z.number().nullable(),
  gate: z.string().nullable().describe('Of the run that judged the model; null if none did.'),
  accuracy: z.number().nullable(),
  promotion: z
    .string()
    .nullable()
    .describe('asked, kept, promoted, refused or never; null if it has no model.'),
  modelSha256: z.string().nullable(),
  links: RunDetails.shape.links,
  linksExpireAt: RunDetails.shape.linksExpireAt,
});
export type TrainingDetails = z.infer<typeof TrainingDetails>;

/** RFC 9457: the shape of every error that this application returns. */
export const Problem = z.object({
  type: z.string().describe('urn:inferdrop:problem:<kind>'),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
});

/** Errors of API Gateway itself: missing credentials, throttling, or an unknown path. */
export const GatewayMessage = z.object({ message: z.string().nullable() });
