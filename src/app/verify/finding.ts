import * as z from 'zod';

/**
 * ok: AWS answered as the application expects. warning: it works, but not as well as it could. failed: a run, an endpoint or a
 * message will not work. not run: `--spend`, a permission or an earlier result is missing. only AWS can tell: this machine does
 * not emulate the service in question.
 */
export const Verdict = z.enum(['ok', 'warning', 'failed', 'not run', 'only AWS can tell']);
export type Verdict = z.infer<typeof Verdict>;

/** The outcome of one check. */
export interface Finding {
  /** AWS's answer, abridged. */
  readonly answered: string;
  readonly verdict: Verdict;
  /** Meaning of the answer for this stack, and what to do about it. */
  readonly means: string;
}

/** AWS answered as the application expects. */
export function ok(answered: string, means: string): Finding {
  return { answered, verdict: 'ok', means };
}

/** It works, but not as well as it could. */
export function warning(answered: string, means: string): Finding {
  return { answered, verdict: 'warning', means };
}

/** A run, an endpoint or a message will not work. */
export function failed(answered: string, means: string): Finding {
  return { answered, verdict: 'failed', means };
}

/** `--spend`, a permission or an earlier result is missing. */
export function notRun(answered: string, means: string): Finding {
  return { answered, verdict: 'not run', means };
}

/** A check that the stack on this machine cannot answer, and why. */
export function onlyAws(why: string): Finding {
  return {
    answered: why,
    verdict: 'only AWS can tell',
    means: 'Run inferdrop verify against the deployment in AWS.',
  };
}

const RANK: Readonly<Record<Verdict, number>> = {
  failed: 4,
  warning: 3,
  'not run': 2,
  'only AWS can tell': 1,
  ok: 0,
};

/** Combines several findings: the worst verdict, every answer, and the meaning of all that are not ok (or of all, if all are). */
export function combineFindings(findings: readonly [Finding, ...Finding[]]): Finding {
  const [first, ...others] = findings;
  const verdict = others.reduce(
    (worst, { verdict: next }) => (RANK[next] > RANK[worst] ? next : worst),
    first.verdict,
  );
  const telling = verdict === 'ok' ? findings : findings.filter((finding) => finding.verdict !== 'ok');
  return {
    answered: unique(findings.map(({ answered }) => answered)).join('; '),
    verdict,
    means: unique(telling.map(({ means }) => means)).join(' '),
  };
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== '');
}
