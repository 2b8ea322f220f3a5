import { createHash } from 'node:crypto';
import checker from 'recheck/package.json' with { type: 'json' };

/** Name of the proof that an expression takes linear time: a digest of its text, its flags and the prover's version. */
export function proofOf(source: string, flags: string): string {
  return createHash('sha256')
    .update(JSON.stringify([checker.version, source, flags]))
    .digest('hex')
    .slice(0, 32);
}
