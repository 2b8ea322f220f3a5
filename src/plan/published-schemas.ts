import * as z from 'zod';
import { JobConfig } from '../pipeline/job-config.ts';
import { PipelineConfig } from '../pipeline/pipeline-config.ts';
import { TrainingJobConfig } from '../pipeline/training-job-config.ts';
import { PriceOverride } from '../price/price-override.ts';
import { Plan } from './plan.ts';

/** The JSON Schemas that editors and other programs use, by file name in `docs/schema/`. */
export function publishedSchemas(): Readonly<Record<string, unknown>> {
  return {
    'pipeline.schema.json': toJsonSchema(PipelineConfig, 'inferdrop pipeline.json', 'input'),
    'job.schema.json': toJsonSchema(JobConfig, 'inferdrop job.json', 'input'),
    'training-job.schema.json': toJsonSchema(
      TrainingJobConfig,
      'inferdrop job.json of a training drop',
      'input',
    ),
    'prices.schema.json': toJsonSchema(PriceOverride, 'inferdrop pipelines/prices.json', 'input'),
    'plan.schema.json': toJsonSchema(Plan, 'inferdrop plan.json', 'output'),
  };
}

/** The JSON Schema of a document as it is read (`input`: defaults may be left out) or written (`output`). */
export function toJsonSchema(schema: z.ZodType, title: string, io: 'input' | 'output'): unknown {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      // Bounds of JavaScript's whole numbers say nothing about the field.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return { $schema, title, ...rest };
}
