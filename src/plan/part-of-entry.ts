import { compareByteOrder } from '../text/byte-order.ts';
import type { Plan } from './plan.ts';

/** The plan's job that an input belongs to: the pilot, the one for far larger objects, or the one whose keys surround it. */
export function partOfEntry(plan: Plan): (entry: { readonly name: string; readonly size: number }) => number {
  const apart = plan.jobs.find((job) => job.outliers)?.part;
  const pilot = new Set(plan.pilot);
  const first = plan.jobs.find((job) => job.pilot)?.part;
  const usual = plan.jobs.filter((job) => !job.outliers && !job.pilot);
  const last = usual.at(-1)?.part ?? 1;
  return ({ name, size }) => {
    if (first !== undefined && pilot.has(name)) return first;
    if (apart !== undefined && plan.outlierBytes !== null && size > plan.outlierBytes) return apart;
    return usual.find((job) => compareByteOrder(name, job.lastKey) <= 0)?.part ?? last;
  };
}
