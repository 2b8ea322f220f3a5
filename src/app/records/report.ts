import { Report } from '../../report/report.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** The report of a run. */
export const reportJson = jsonDocument({ key: bucketLayout.reportJson, schema: Report, write: 'once' });
