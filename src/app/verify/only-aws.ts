import type { Finding } from '../../verify/finding.ts';

/** What the stack on this machine cannot answer, and why. */
export function onlyAws(why: string): Finding {
  return {
    answered: why,
    verdict: 'only AWS can tell',
    means: 'Run inferdrop verify against the deployment in AWS.',
  };
}
