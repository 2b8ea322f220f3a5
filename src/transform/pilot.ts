/** Shortest quoted time of a run with a pilot: in a shorter run its start-up would be a tenth of the time or more. */
const LARGE_SECONDS = 600;
const USUAL_INPUTS = 20;

/** Inputs of a run's pilot; 0 where there is none, as for runs that have no more inputs than that. */
export function pilotSize(asked: 'auto' | number, inputs: number, quotedSeconds: number): number {
  const wanted = asked === 'auto' ? (quotedSeconds > LARGE_SECONDS ? USUAL_INPUTS : 0) : asked;
  return wanted < inputs ? wanted : 0;
}

/** Whether the index-th of `count` inputs is one of the pilot's `size`, which are spread evenly and begin with the first. */
export function isOfPilot(index: number, count: number, size: number): boolean {
  return Math.ceil((index * size) / count) !== Math.ceil(((index + 1) * size) / count);
}
