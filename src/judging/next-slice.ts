import type { Evidence } from './bets.ts';

/** Factor on the inputs that the evidence so far suggests: a fifth more, so that one further slice is seldom needed by chance. */
const MARGIN = 1.2;
/** Evidence counts as at least this, so that a slice that says nothing does not ask for infinitely many inputs. */
const LEAST_EVIDENCE = 0.1;

/**
 * Inputs of the next slice: as many as the verdict is likely to need, at least the first slice, at most those drawn so far, and never more
 * than are left. The size may depend on the results so far: the verdict stays valid.
 */
export function nextSliceInputs(
  { above, below }: Evidence,
  {
    first,
    drawn,
    total,
    alpha,
  }: { readonly first: number; readonly drawn: number; readonly total: number; readonly alpha: number },
): number {
  const left = total - drawn;
  if (drawn === 0) return Math.min(first, left);
  const evidence = Math.max(LEAST_EVIDENCE, above, below);
  const likely = Math.ceil(MARGIN * drawn * (-Math.log(alpha) / evidence - 1));
  return Math.min(left, Math.max(first, Math.min(drawn, likely)));
}
