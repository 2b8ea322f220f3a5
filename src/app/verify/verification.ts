import * as z from 'zod';
import { Verdict } from './finding.ts';

/** One check of a verification, as it is shown and stored. */
export const CheckResult = z.strictObject({
  check: z.string(),
  asked: z.string(),
  answered: z.string(),
  verdict: Verdict,
  means: z.string(),
  /** Expected cost of the check in US dollars; null if it only reads. */
  estimatedUsd: z.number().nullable(),
  /** The `--spend` that the check would have needed, in US dollars; null if it was not left out. */
  neededUsd: z.number().nullable(),
  seconds: z.number(),
});
export type CheckResult = z.infer<typeof CheckResult>;

/** Result of `inferdrop verify`. Account ids, keys and addresses of people are masked. */
export const Verification = z.strictObject({
  schema: z.literal(1),
  program: z.string(),
  stack: z.string(),
  /** `AWS`, or the address of its replacement. */
  place: z.string(),
  region: z.string(),
  startedAt: z.string(),
  endedAt: z.string(),
  /** The amount of `--spend`, in US dollars; null without it. */
  spendUsd: z.number().nullable(),
  /** The sum of the estimates of the checks that ran. */
  estimatedUsd: z.number(),
  interrupted: z.boolean(),
  checks: z.array(CheckResult),
  /** Resources that were created, or left by an earlier verification, and removed. */
  removed: z.array(z.string()),
  /** Resources that could not be removed, with the reason. */
  left: z.array(z.string()),
});
export type Verification = z.infer<typeof Verification>;

/** 128 plus the number of SIGINT, as in shells. */
export const INTERRUPTED = 130;

/** Exit code of the command: 130 after an interruption, 1 if a check failed or something was left behind, else 0. */
export function exitCodeOf({ interrupted, checks, left }: Verification): number {
  if (interrupted) return INTERRUPTED;
  return left.length > 0 || checks.some(({ verdict }) => verdict === 'failed') ? 1 : 0;
}

/** Patterns of values that must not leave the account, and their replacements. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  // "Each account ID is a 12-digit number."
  [/(?<!\d)\d{12}(?!\d)/g, '<account>'],
  [/\b(?:AKIA|ASIA|AIDA|AROA)[A-Z0-9]{12,}\b/g, '<key>'],
  [/(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/g, '<address>'],
  [/(X-Amz-(?:Signature|Credential|Security-Token))=[^&\s"]+/gi, '$1=<secret>'],
];

/** Text without account ids, access keys, signatures and e-mail addresses, which can be attached to a public report. */
export function mask(text: string): string {
  return SECRETS.reduce((masked, [pattern, instead]) => masked.replace(pattern, instead), text);
}
