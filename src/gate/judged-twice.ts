import type { Verdict } from './judge-gate.ts';

/**
 * The verdict of a gate that acts, if labels were changed in favor of the model after its answers could be seen: it only passes if
 * it also passes by the earlier labels. Nothing else changes: labels that make a model fail are nobody's advantage.
 *
 * @param because the changes, in a sentence
 */
export function judgedTwice(now: Verdict, before: Verdict, because: string): Verdict {
  if (now.verdict !== 'passed') return now;
  const byBefore = `By the labels before: ${before.explanation}`;
  return before.verdict === 'passed'
    ? { ...now, explanation: `${now.explanation} ${because} ${byBefore}` }
    : { ...now, verdict: 'none', explanation: `The gate has no verdict: ${because} ${byBefore}` };
}
