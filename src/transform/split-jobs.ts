/** Shortest quoted time of a run with a pilot: in a shorter run its start-up would be a tenth of the time or more. */
const LARGE_SECONDS = 600;
const USUAL_INPUTS = 20;

/** Cap on the lines of a job's manifest. */
const MAX_LINES = 500_000;

/**
 * Sizes of the jobs that `objects` are sent in: as few and as even as possible. A stopped job's outputs are lost, so a run
 * is a sequence of jobs.
 *
 * @param each objects that a line of the manifest stands for
 */
export function splitJobs(objects: number, objectsInTime: number, each: number): number[] {
  const most = Math.min(MAX_LINES * each, Math.max(1, objectsInTime));
  const jobs = Math.ceil(objects / most);
  const before = (job: number): number => Math.floor((job * objects) / jobs);
  return Array.from({ length: jobs }, (_, job) => before(job + 1) - before(job));
}

/** Inputs of a run's pilot; 0 where there is none, as for runs that have no more inputs than that. */
export function pilotSize(asked: 'auto' | number, inputs: number, quotedSeconds: number): number {
  const wanted = asked === 'auto' ? (quotedSeconds > LARGE_SECONDS ? USUAL_INPUTS : 0) : asked;
  return wanted < inputs ? wanted : 0;
}

/** Whether the index-th of `count` inputs is one of the pilot's `size`, which are spread evenly and begin with the first. */
export function isOfPilot(index: number, count: number, size: number): boolean {
  return Math.ceil((index * size) / count) !== Math.ceil(((index + 1) * size) / count);
}
