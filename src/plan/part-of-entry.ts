import { cellOf, drawOf } from '../judging/draw.ts';
import { compareByteOrder } from '../text/byte-order.ts';
import type { Plan } from './plan.ts';

type PartOf = (entry: { readonly name: string; readonly size: number }) => number;

/** The plan's job that an input belongs to, among the jobs of the round that it was drawn in. */
export function partOfEntry(plan: Plan): PartOf {
  const { rounds } = plan;
  if (rounds === null) return partAmong(plan, plan.jobs);
  const { seed, upTo } = rounds;
  const draw = drawOf(seed);
  const parts = upTo.map((_, at) =>
    partAmong(
      plan,
      plan.jobs.filter(({ round }) => round === at + 1),
    ),
  );
  return (entry) => {
    const cell = cellOf(draw(entry.name));
    const partOf = parts[upTo.findIndex((end) => cell < end)];
    // An input of a round that was listed but not planned, as the run ended: no job was attempted for it.
    return partOf?.(entry) ?? plan.jobs.length + 1;
  };
}

/** The job among some: the pilot, the one for far larger objects, or the one with keys around the input's. */
function partAmong({ pilot: pilotKeys, outlierBytes }: Plan, jobs: Plan['jobs']): PartOf {
  const apart = jobs.find((job) => job.outliers)?.part;
  const pilot = new Set(pilotKeys);
  const first = jobs.find((job) => job.pilot)?.part;
  const usual = jobs.filter((job) => !job.outliers && !job.pilot);
  const last = usual.at(-1)?.part ?? 1;
  return ({ name, size }) => {
    if (first !== undefined && pilot.has(name)) return first;
    if (apart !== undefined && outlierBytes !== null && size > outlierBytes) return apart;
    return usual.find((job) => compareByteOrder(name, job.lastKey) <= 0)?.part ?? last;
  };
}
