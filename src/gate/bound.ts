import type { Change, Count } from './counts.ts';

interface BoundOf<Kind extends string> {
  readonly kind: Kind;
  /** Class or slice. Empty for a bound of the whole. */
  readonly name: string;
  /** Least share, or change, that passes. */
  readonly floor: number;
  /** Records below which nothing is decided. */
  readonly minInputs: number;
}

/** A share, or a change of a share, that must reach a floor. */
export type Bound =
  | (BoundOf<'accuracy' | 'recall' | 'slice' | 'errors'> & { readonly count: Count })
  | (BoundOf<'change'> & { readonly count: Change });
