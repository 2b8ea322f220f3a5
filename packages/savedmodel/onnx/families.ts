import type { GraphNode } from '../savedmodel/graph-node.ts';
import type { Shape } from '../savedmodel/tensor-proto.ts';
import { ASSERTIONS } from './assertion.ts';
import { BLOCK_REARRANGEMENTS } from './block-rearrangement.ts';
import { COLORS } from './color.ts';
import { COMPLEX_NUMBERS } from './complex.ts';
import { CONTROL_FLOW } from './control-flow.ts';
import { CONVOLUTIONS } from './convolution.ts';
import { DIAGONALS } from './diagonals.ts';
import { ELEMENTWISE } from './elementwise-operations.ts';
import { FAKE_QUANTIZATIONS } from './fake-quantization.ts';
import { GATHERINGS } from './gathering.ts';
import { KnownInputs, type KnownTensors } from './known-tensors.ts';
import { MATRICES } from './matrix.ts';
import { NORMALIZATIONS } from './normalization.ts';
import type { Family, Operation } from './operation.ts';
import { PADDINGS } from './padding.ts';
import { PARTS } from './parts.ts';
import { PATCHES } from './patches.ts';
import { POOLINGS } from './pooling.ts';
import { REARRANGEMENTS } from './rearranging.ts';
import { REDUCTIONS } from './reduction.ts';
import { RESAMPLINGS } from './resampling.ts';
import { RESIZINGS } from './resizing.ts';
import { SCATTERINGS } from './scattering.ts';
import { SELECTIONS } from './selecting.ts';
import { SHAPES } from './shape.ts';
import { SIGN_BITS } from './sign-bit.ts';
import { SLICINGS } from './slicing.ts';
import { SPECIAL_FUNCTIONS } from './special-functions.ts';
import { SUPPRESSIONS } from './suppression.ts';
import { VOLUMES } from './volumes.ts';

/** Every family of operations, in the order of docs/models.md. */
export const FAMILIES: readonly Family[] = [
  CONVOLUTIONS,
  VOLUMES,
  POOLINGS,
  NORMALIZATIONS,
  BLOCK_REARRANGEMENTS,
  RESIZINGS,
  RESAMPLINGS,
  COLORS,
  PATCHES,
  SUPPRESSIONS,
  ELEMENTWISE,
  SPECIAL_FUNCTIONS,
  DIAGONALS,
  COMPLEX_NUMBERS,
  MATRICES,
  REDUCTIONS,
  SHAPES,
  PARTS,
  SLICINGS,
  GATHERINGS,
  PADDINGS,
  REARRANGEMENTS,
  SCATTERINGS,
  SELECTIONS,
  CONTROL_FLOW,
  ASSERTIONS,
  FAKE_QUANTIZATIONS,
  SIGN_BITS,
];

/** Every operation that is converted, by its name. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  FAMILIES.flatMap(({ operations }) => Object.entries(operations)),
);

/**
 * Shapes of a node's outputs as far as the graph determines them: null for an unknown rank, -1 for an unknown size. Mismatches
 * are not errors here; they are found when the graph runs.
 */
export function inferShapes(node: GraphNode, known: KnownTensors): readonly Shape[] {
  if (node.value !== undefined) return [node.value.shape];
  const inferred = OPERATIONS.get(node.op)?.[1](new KnownInputs(node, known)) ?? null;
  return isList(inferred) ? inferred : [inferred];
}

function isList(inferred: Shape | readonly Shape[]): inferred is readonly Shape[] {
  return inferred !== null && inferred.some((item) => typeof item !== 'number');
}
