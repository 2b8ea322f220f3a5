import * as z from 'zod';
import { SliceBound } from './slice-settings.ts';

const Share = z.number().min(0).max(1);

/** Bound of a class. */
const RecallBound = z.strictObject({
  minRecall: Share.describe('Smallest recall of the class that passes, as a share of 1.'),
  minInputs: z
    .int()
    .min(1)
    .optional()
    .describe('Labeled records of the class below which there is no verdict on it. Default: 30.'),
});

/** Bounds that decide whether a run passes. */
export const GateSettings = z.strictObject({
  minAccuracy: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Smallest accuracy that passes, as a share of 1.'),
  maxErrorRate: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Largest share of inputs without a usable prediction that passes.'),
  maxAccuracyDrop: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      'Largest loss of accuracy against report.baseline that passes, on the inputs that both runs have, as a ' +
        'share of 1. With confidence the inputs must prove that no more was lost.',
    ),
  minRecall: z
    .union([Share, z.record(z.string(), z.union([Share, RecallBound]))])
    .optional()
    .describe(
      'Smallest recall that passes, as a share of 1: of every class that has records, or by class name, as in ' +
        '`{"cat": 0.9, "*": 0.5}`; the asterisk stands for every other class. Classes with fewer than 30 labeled records are judged ' +
        'together; a named one gives no verdict then, or says how many it needs: `{"cat": {"minRecall": 0.9, "minInputs": 10}}`.',
    ),
  slices: z
    .record(z.string().min(1), SliceBound)
    .optional()
    .describe(
      'What slices of report.slices must reach, by name, as in `{"site=B": {"minAccuracy": 0.85}, "*": {"minAccuracy": 0.8}}`. A named ' +
        'slice that has fewer than minInputs labeled records (30), or none, gives no verdict. The asterisk stands ' +
        'for every other slice with as many; the smaller ones of a dimension are judged together. A drop cannot change them.',
    ),
  minInputs: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Labeled inputs below which there is no verdict, so that nothing is deployed or promoted; each record of a file with many ' +
        'counts. A comparison needs as many that both runs have, and a gate with only maxErrorRate as many inputs. Default: 30 where ' +
        'the gate acts automatically (endpoint.deploy or training.after.promote is "when-gate-passes"), judges a ' +
        'sample or decides early, else 1.',
    ),
  minLabeled: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .optional()
    .describe(
      'Smallest share of the inputs that must have a label for a verdict, as a share of 1; copies of an input do ' +
        'not count. A gate that bounds only errors needs no label. Null: any share. Default: 0.9 where the gate acts ' +
        'automatically, judges a sample or decides early, else null.',
    ),
  confidence: z
    .number()
    .min(0.5)
    .max(0.9999)
    .nullable()
    .optional()
    .describe(
      'Confidence at which the inputs must prove every bound, by the exact one-sided interval of its share ' +
        '(Clopper–Pearson), or by a score test of the loss; ' +
        'null: the figures themselves are compared. Default: 0.95 where the gate acts automatically or judges a ' +
        'sample or decides early, else null.',
    ),
  decide: z
    .enum(['all', 'early'])
    .optional()
    .describe(
      'all: the gate judges all inputs. early: inputs are drawn at random and sent in rounds until their answers ' +
        'decide whether all inputs would pass, at the given confidence; the others are not predicted. Decides ' +
        'every bound but slices["*"], of at most 64 classes and slices. Needs a bound besides maxErrorRate, and ' +
        'inputs of one record. Default: all.',
    ),
});
export type GateSettings = z.infer<typeof GateSettings>;

/** A gate with every default explicit. */
export const ResolvedGate = z.object({
  ...GateSettings.shape,
  slices: z.record(z.string(), SliceBound.extend({ minInputs: z.int().min(1) })).optional(),
  minInputs: z.int().min(1),
  minLabeled: z.number().nullable(),
  confidence: z.number().nullable(),
});
export type ResolvedGate = z.infer<typeof ResolvedGate>;
