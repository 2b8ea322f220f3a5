import { RequestProblem } from '../../api/problem-details.ts';

const MAX_ENTRIES = 100;
const FEW_ENTRIES = 20;

/** @throws {RequestProblem} `invalid-request` for a `limit` outside 1..100; without one it is 20 */
export function readLimit(limit: string | undefined): number {
  if (limit === undefined) return FEW_ENTRIES;
  const most = /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  if (most >= 1 && most <= MAX_ENTRIES) return most;
  throw new RequestProblem('invalid-request', `limit must be 1..${MAX_ENTRIES}, is ${JSON.stringify(limit)}`);
}
