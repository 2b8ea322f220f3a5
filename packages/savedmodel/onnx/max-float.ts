import type { DType } from '../savedmodel/servable-model.ts';

/** Largest finite number of the float types. */
export const MAX_FLOAT: ReadonlyMap<DType, number> = new Map([
  ['float16', 65504],
  ['float32', (2 - 2 ** -23) * 2 ** 127],
  ['float64', Number.MAX_VALUE],
]);
