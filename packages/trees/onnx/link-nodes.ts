import type { Link, TreeEnsemble } from '../tree-ensemble.ts';
import { ELEMENT_TYPES, type OnnxModel, type OnnxNode } from './write-onnx.ts';

/** Operations from `wide`, sums in float64, to `linked`; `one` is the number 1. */
const STEPS: Readonly<Record<Link, readonly OnnxNode[]>> = {
  identity: [{ op: 'Identity', inputs: ['wide'], output: 'linked' }],
  // onnxruntime's own Sigmoid has no tail below some 1e-8.
  sigmoid: [
    { op: 'Neg', inputs: ['wide'], output: 'negated' },
    { op: 'Exp', inputs: ['negated'], output: 'raised' },
    { op: 'Add', inputs: ['raised', 'one'], output: 'whole' },
    { op: 'Reciprocal', inputs: ['whole'], output: 'linked' },
  ],
  softmax: [{ op: 'Softmax', inputs: ['wide'], output: 'linked', attributes: { axis: 1 } }],
  exp: [{ op: 'Exp', inputs: ['wide'], output: 'linked' }],
  step: [
    { op: 'Sub', inputs: ['one', 'one'], output: 'zero' },
    { op: 'Greater', inputs: ['wide', 'zero'], output: 'isPositive' },
    { op: 'Cast', inputs: ['isPositive'], output: 'linked', attributes: { to: ELEMENT_TYPES.float64 } },
  ],
  'signed-square': [
    { op: 'Abs', inputs: ['wide'], output: 'size' },
    { op: 'Mul', inputs: ['wide', 'size'], output: 'linked' },
  ],
  softplus: [
    { op: 'Exp', inputs: ['wide'], output: 'raised' },
    { op: 'Add', inputs: ['raised', 'one'], output: 'whole' },
    { op: 'Log', inputs: ['whole'], output: 'linked' },
  ],
};

/** Operations from the sums of the trees to the answer, computed in float64 and given in float32. */
export function linkNodes({
  link,
  task,
  outputs,
}: TreeEnsemble): Pick<OnnxModel, 'nodes' | 'constants' | 'output'> {
  const isBinary = task === 'classification' && outputs === 1;
  const name = task === 'classification' ? 'probabilities' : 'prediction';
  const nodes: readonly OnnxNode[] = [
    { op: 'Cast', inputs: ['sums'], output: 'wide', attributes: { to: ELEMENT_TYPES.float64 } },
    ...STEPS[link],
    ...(isBinary
      ? [
          { op: 'Sub', inputs: ['one', 'linked'], output: 'other' },
          { op: 'Concat', inputs: ['other', 'linked'], output: 'pair', attributes: { axis: 1 } },
        ]
      : []),
    {
      op: 'Cast',
      inputs: [isBinary ? 'pair' : 'linked'],
      output: name,
      attributes: { to: ELEMENT_TYPES.float32 },
    },
  ];
  return {
    nodes,
    constants: nodes.some(({ inputs }) => inputs.includes('one')) ? { one: Float64Array.of(1) } : {},
    output: { name, type: 'float32', columns: isBinary ? 2 : outputs },
  };
}
