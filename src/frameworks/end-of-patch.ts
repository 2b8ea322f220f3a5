import { compareVersions } from '../model/version-order.ts';
import { DAY_MS } from '../text/milliseconds.ts';
import type { Framework } from './framework-name.ts';
import { FRAMEWORKS } from './frameworks.ts';

/** Notice: a container is named this long before its patches end. */
const NOTICE_DAYS = 90;

/** The newest minor version of AWS's containers of a framework, and the day until which AWS patches it. */
export function newestPatched(framework: Framework): { readonly version: string; readonly until: string } {
  const [version = '', until = ''] =
    Object.entries(FRAMEWORKS[framework].patchedUntil).toSorted(([a], [b]) => compareVersions(b, a))[0] ?? [];
  return { version, until };
}

/** The newest container of a framework that serves archives, and whether AWS patches it at a time, in words. */
export function newestContainer(framework: Framework, now: Date): string {
  const { until } = newestPatched(framework);
  return Date.parse(until) > now.getTime()
    ? `the newest container of AWS, patched until ${until}`
    : `the newest container of AWS that serves archives; AWS ended its patches on ${until}`;
}

/** Note on a container that AWS no longer patches, or will soon stop patching; none for others, or if the date is not known. */
export function patchNotes(framework: Framework, version: string, now: Date): string[] {
  const ends = endOf(framework, version);
  if (ends === undefined || Date.parse(ends.date) > now.getTime() + NOTICE_DAYS * DAY_MS) return [];
  const has =
    Date.parse(ends.date) > now.getTime()
      ? 'has security patches until'
      : 'has had no security patches since';
  const newest = newestPatched(framework);
  const remedy =
    Date.parse(newest.until) > now.getTime()
      ? `set model.frameworkVersion to ${newest.version}, which AWS patches until ${newest.until}`
      : 'AWS has no newer one that serves archives; where that is not allowed, give an image of your own as model.image';
  return [
    `AWS's ${FRAMEWORKS[framework].containerOf} ${version} container ${has} ${ends.date}${ends.isLatest ? ' or earlier' : ''}: ${remedy}`,
  ];
}

/** The day until which a version was patched; for a version older than the table, the day of its first entry, by which it had ended. */
function endOf(
  framework: Framework,
  version: string,
): { readonly date: string; readonly isLatest: boolean } | undefined {
  const { patchedUntil } = FRAMEWORKS[framework];
  const [major = '', minor = ''] = version.split('.');
  const date = patchedUntil[`${major}.${minor}`];
  if (date !== undefined) return { date, isLatest: false };
  const [oldest = '', oldestDate = ''] =
    Object.entries(patchedUntil).toSorted(([a], [b]) => compareVersions(a, b))[0] ?? [];
  return compareVersions(version, oldest) < 0 ? { date: oldestDate, isLatest: true } : undefined;
}
