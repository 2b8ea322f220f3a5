import type { Evidence } from './bets.ts';

/** Factor on the inputs that the evidence so far suggests: a fifth more, so that one further round is seldom needed by chance. */
const MARGIN = 1.2;
/** Evidence counts as at least this, so that a round that says nothing does not ask for infinitely many inputs. */
const LEAST_EVIDENCE = 0.1;

/**
 * Inputs of the next round: as many as the verdict is likely to need, at least the first round, at most those drawn so
 * far, and all that are left where fewer than a first round would remain. The size may depend on the results so far:
 * the verdict stays valid.
 */
export function nextRoundInputs(
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
  const inputs = Math.max(first, Math.min(drawn, likely));
  return left - inputs < first ? left : inputs;
}
