import * as z from 'zod';
import { ModelRecord } from '../model-record.ts';
import { Tags } from '../tags.ts';
import { DeploymentConfig } from './deployment-config.ts';
import { ProductionVariant } from './endpoint-config-record.ts';

/** The subset of SageMaker's endpoint statuses that can occur here. */
export const EndpointStatus = z.enum([
  'Creating',
  'InService',
  'Updating',
  'RollingBack',
  'Deleting',
  'Failed',
]);
export type EndpointStatus = z.infer<typeof EndpointStatus>;

/** A production variant as it is deployed: with its own copy of the model, which may be deleted meanwhile. */
export const HostedVariant = z.object({
  settings: ProductionVariant,
  model: ModelRecord,
  weight: z.number(),
  /** Undefined for serverless variants. */
  instanceCount: z.number().optional(),
});
export type HostedVariant = z.infer<typeof HostedVariant>;

/** The one variant of an endpoint that hosts inference components, which bring the models. */
export const ComponentHost = z.object({
  settings: ProductionVariant,
  networkIsolation: z.boolean(),
  instanceCount: z.int().min(0),
});
export type ComponentHost = z.infer<typeof ComponentHost>;

/** Configuration and variants that an endpoint serves, or is to serve. */
export const EndpointContent = z.object({
  configName: z.string(),
  /** Variants with a model of their own; empty if the endpoint hosts inference components. */
  variants: z.array(HostedVariant),
  host: ComponentHost.optional(),
  deployment: DeploymentConfig.optional(),
});
export type EndpointContent = z.infer<typeof EndpointContent>;

/** An endpoint as it is kept on disk. */
export const EndpointRecord = z.object({
  name: z.string(),
  arn: z.string(),
  status: EndpointStatus,
  failureReason: z.string().optional(),
  creationTimeMs: z.number(),
  lastModifiedTimeMs: z.number(),
  content: EndpointContent,
  /** Content that an update under way brings. */
  pending: EndpointContent.extend({ startTimeMs: z.number() }).optional(),
  tags: Tags,
});
export type EndpointRecord = z.infer<typeof EndpointRecord>;
