import { ASSERTIONS } from './assertion.ts';
import { BLOCK_REARRANGEMENTS } from './block-rearrangement.ts';
import { COLOURS } from './colour.ts';
import { COMPLEX_NUMBERS } from './complex.ts';
import { CONTROL_FLOW } from './control-flow.ts';
import { CONVOLUTIONS } from './convolution.ts';
import { DIAGONALS } from './diagonals.ts';
import { ELEMENTWISE } from './elementwise-operations.ts';
import { FAKE_QUANTISATIONS } from './fake-quantisation.ts';
import { GATHERINGS } from './gathering.ts';
import { MATRICES } from './matrix.ts';
import { NORMALISATIONS } from './normalisation.ts';
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
  NORMALISATIONS,
  BLOCK_REARRANGEMENTS,
  RESIZINGS,
  RESAMPLINGS,
  COLOURS,
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
  FAKE_QUANTISATIONS,
  SIGN_BITS,
];

/** Every operation that is converted, by its name. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  FAMILIES.flatMap(({ operations }) => Object.entries(operations)),
);
