import * as z from 'zod';
import { Plan } from './plan.ts';

const planned = Plan.shape;

/** The fields of a plan that scoring and report read. */
export const ScoringPlan = z.object({
  model: planned.model.pick({
    name: true,
    artifact: true,
    sha256: true,
    served: true,
    given: true,
    imageUri: true,
    framework: true,
    frameworkVersion: true,
  }),
  input: planned.input,
  outputs: planned.outputs,
  engine: planned.engine,
  predictions: planned.predictions,
  continues: planned.continues,
  sample: planned.sample,
  rounds: planned.rounds,
  transform: planned.transform.pick({
    contentType: true,
    accept: true,
    splitType: true,
    batchStrategy: true,
    assembleWith: true,
    columns: true,
    inputFilter: true,
    kmsKeyArn: true,
  }),
  labels: planned.labels,
  report: planned.report,
  previous: planned.previous,
  gate: planned.gate,
  setAside: planned.setAside,
  cost: planned.cost.pick({ quoteUsd: true }),
  notes: planned.notes,
  objects: planned.objects,
  createdAt: planned.createdAt,
});
export type ScoringPlan = z.infer<typeof ScoringPlan>;
