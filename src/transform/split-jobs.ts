/** Cap on the objects of one job: a stopped job's outputs are lost, so a run is a sequence of jobs. */
const MAX_OBJECTS = 500_000;

/** Sizes of the jobs that `objects` are sent in: as few and as even as possible. */
export function splitJobs(objects: number, objectsInTime: number): number[] {
  const most = Math.min(MAX_OBJECTS, Math.max(1, objectsInTime));
  const jobs = Math.ceil(objects / most);
  return Array.from(
    { length: jobs },
    (_, job) => Math.floor(((job + 1) * objects) / jobs) - Math.floor((job * objects) / jobs),
  );
}
