import { Receipt } from '../../report/receipt.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** Versions and inputs that made a run, for users and their tools: no step reads it. */
export const receiptJson = jsonDocument({ key: bucketLayout.receipt, schema: Receipt, write: 'replace' });
