import type { ReportFailure } from './report.ts';

export const ERRORS_CSV_HEADER = 'key,record_index,reason,detail\r\n';

/** One line of errors.csv. */
export function errorsCsvRow({ key, recordIndex, reason, detail }: ReportFailure): string {
  return `${[key, recordIndex === null ? '' : String(recordIndex), reason, detail].map(csvCell).join(',')}\r\n`;
}

/**
 * A CSV cell that no spreadsheet runs: text that starts like a formula gets an apostrophe before it (OWASP, CSV
 * injection), and quotes follow RFC 4180.
 */
export function csvCell(text: string): string {
  const inert = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) || inert !== text ? `"${inert.replaceAll('"', '""')}"` : inert;
}
