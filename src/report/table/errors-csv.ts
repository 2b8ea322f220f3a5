import type { ReportFailure } from '../report.ts';

/** First line of errors.csv. */
export const ERRORS_CSV_HEADER = 'key,record_index,reason,detail\r\n';

/** One line of errors.csv. */
export function errorsCsvRow({ key, recordIndex, reason, detail }: ReportFailure): string {
  return `${[key, recordIndex === null ? '' : String(recordIndex), reason, detail].map(csvCell).join(',')}\r\n`;
}

/**
 * A CSV cell that no spreadsheet runs (OWASP, CSV injection): an apostrophe stands before what looks like a formula, at the start
 * and after each character at which a spreadsheet of another locale would cut the row. Wide and small forms of the four signs count as
 * these: spreadsheets of East Asian locales read them so. Quotes follow RFC 4180.
 */
export function csvCell(text: string): string {
  const inert = text.replace(/^(?=[\t\r\n])|(?<=^|[;|\t\r\n])(?=[=+\-@＝＋－＠﹦﹢﹣﹫])/g, "'");
  return /[",;|\t\r\n]/.test(inert) || inert !== text ? `"${inert.replaceAll('"', '""')}"` : inert;
}
