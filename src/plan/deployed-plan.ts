import * as z from 'zod';
import { EndpointSettings } from '../pipeline/endpoint-settings.ts';
import { LabelSettings } from '../pipeline/label-settings.ts';
import { TaskName } from '../tasks/task-name.ts';

/** The endpoint that would serve the run's model. */
export const PlannedEndpoint = z.object({
  deploy: EndpointSettings.shape.deploy.unwrap(),
  type: EndpointSettings.shape.type.unwrap(),
  scaleToZero: EndpointSettings.shape.scaleToZero.unwrap(),
  instanceType: z.string(),
  /** Null if SageMaker chooses. */
  amiVersion: z.string().nullable(),
  initialInstanceCount: z.int().min(1),
  autoscaling: z
    .object({ minInstances: z.int(), maxInstances: z.int(), invocationsPerInstance: z.number() })
    .nullable(),
  /** Null if SageMaker chooses. */
  containerStartupTimeoutInSeconds: EndpointSettings.shape.containerStartupTimeoutInSeconds.unwrap(),
  modelDownloadTimeoutInSeconds: EndpointSettings.shape.modelDownloadTimeoutInSeconds.unwrap(),
  volumeSizeInGB: EndpointSettings.shape.volumeSizeInGB.unwrap(),
  memorySizeInMB: z.int(),
  maxConcurrency: EndpointSettings.shape.maxConcurrency.unwrap(),
  /** Present only if AWS needs one. */
  acceleratorType: z.string().nullable(),
  imageUri: z.string(),
  ttlHours: z.number().nullable(),
  idleHours: EndpointSettings.shape.idleHours.unwrap(),
  owner: EndpointSettings.shape.owner.unwrap(),
  rollbackAlarms: EndpointSettings.shape.rollbackAlarms.unwrap(),
  bakeSeconds: EndpointSettings.shape.bakeSeconds.unwrap(),
  /** Price of one instance with its accelerator; null if it is not known, and for serverless endpoints. */
  hourlyUsd: z.number().nullable(),
});
export type PlannedEndpoint = z.infer<typeof PlannedEndpoint>;

/** The fields by which answers are read. */
export const LabelFacts = z.object({
  task: TaskName,
  classes: z.array(z.string()),
  classOffset: z.int(),
  scores: LabelSettings.shape.scores.unwrap(),
  threshold: LabelSettings.shape.threshold.unwrap(),
  single: z.enum(['class', 'score', 'either']),
  ids: z
    .array(z.int())
    .optional()
    .describe(
      "Numbers by which the model names its classes, in the order of its scores; absent if a number is a place, or a class's name.",
    ),
});
export type LabelFacts = z.infer<typeof LabelFacts>;

/** The fields of a plan that an endpoint needs once it is deployed. */
export const DeployedPlan = z.object({
  endpoint: PlannedEndpoint.nullable(),
  transform: z.object({ contentType: z.string(), accept: z.string() }),
  labels: LabelFacts,
  report: z.object({ topK: z.array(z.int().min(1)) }),
});
