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
  return Array.from(
    { length: jobs },
    (_, job) => Math.floor(((job + 1) * objects) / jobs) - Math.floor((job * objects) / jobs),
  );
}
