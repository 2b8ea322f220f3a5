import { Receipt } from '../../report/receipt.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** What made a run, for people and their tools: no step reads it. */
export const receiptJson = jsonDocument({ key: bucketLayout.receipt, schema: Receipt, write: 'replace' });
