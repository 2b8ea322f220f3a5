import { logChoose } from '../metric/log-gamma.ts';
import type { RightOf } from './right-of.ts';

/** SciPy's tolerance: tables with probabilities closer than this are equally likely. */
const SAME = 1e-7;

/**
 * Fisher's exact test (1935) of two shares, two-sided as SciPy has it: the probability of all tables with these margins that are no
 * more likely than the one at hand.
 */
export function fisherTest(one: RightOf, other: RightOf): number {
  const right = one.right + other.right;
  const least = Math.max(0, right - other.count);
  const most = Math.min(one.count, right);
  const first = logChoose(one.count, least) + logChoose(other.count, right - least);
  const whole = logChoose(one.count + other.count, right);
  const logs: number[] = [];
  for (let here = least, log = first - whole; here <= most; here++) {
    logs.push(log);
    log += Math.log(((one.count - here) * (right - here)) / ((here + 1) * (other.count - right + here + 1)));
  }
  const own = logs[one.right - least] ?? 0;
  let sum = 0;
  for (const log of logs) if (log <= own + SAME) sum += Math.exp(log);
  return Math.min(1, sum);
}
