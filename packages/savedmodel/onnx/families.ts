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
