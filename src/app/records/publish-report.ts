import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Created, Readable } from './document.ts';

/** A file drawn from a report. */
export interface DrawnFile {
  readonly key: string;
  readonly body: string;
  readonly contentType: string;
}

/**
 * Writes a run's report and the files drawn from it. The first report of a run counts: when an execution is stopped, the running
 * function may still write its own while the failure is reported, and report, pages and message must agree.
 *
 * @param draw called before the report is written, so that a report that cannot be drawn is not stored
 * @returns the stored report
 */
export async function publishReport<R>(
  document: Readable<R> & Created<R>,
  store: ObjectStore,
  report: R,
  draw: (report: R) => Promise<readonly DrawnFile[]> | readonly DrawnFile[],
): Promise<R> {
  const own = await draw(report);
  const isFirst = await document.create(store, report);
  const standing = isFirst ? report : await document.require(store);
  const files = isFirst ? own : await draw(standing);
  await Promise.all(files.map(({ key, body, contentType }) => store.write(key, body, { contentType })));
  return standing;
}
