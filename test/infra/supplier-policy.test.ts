import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { decider } from '../../packages/laptop/iam/decide.ts';
import { parsePolicy } from '../../packages/laptop/iam/policy-document.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { evaluationDrop } from '../../src/run/run-id.ts';
import { aDrop } from '../support/a-run.ts';

const TEXT = readFileSync(new URL('../../docs/policies/aws/supplier.json', import.meta.url), 'utf8');
const decide = decider([
  parsePolicy('supplier', JSON.parse(TEXT.replaceAll('BUCKET', 'drops').replaceAll('PIPELINE', 'birds'))),
]);
const asks = (action: string, key: string, context = {}) =>
  decide({ action, resource: `arn:aws:s3:::drops/${key}`, context }) === 'allowed';
const CUSTOMER_KEY = { 's3:x-amz-server-side-encryption-customer-algorithm': 'AES256' };

it.each([
  bucketLayout.dropFolder(aDrop('birds/monday')),
  bucketLayout.dropFolder(aDrop('training/birds/monday')),
])('a supplier writes below %s, also large files', (folder) => {
  expect(asks('s3:PutObject', `${folder}a.png`)).toBe(true);
  expect(asks('s3:AbortMultipartUpload', `${folder}a.png`)).toBe(true);
});

it.each([
  ['s3:PutObject', bucketLayout.dropFolder(aDrop(`birds/${evaluationDrop('held-out')}`)) + 'a.png'],
  ['s3:PutObject', bucketLayout.pipelineConfig('birds')],
  ['s3:PutObject', bucketLayout.pipelineModel('birds')],
  ['s3:PutObject', bucketLayout.dropFolder(aDrop('birds2/monday')) + 'a.png'],
  ['s3:PutObject', 'shared/a.png'],
  ['s3:PutObject', 'state/birds/ledger.json'],
  ['s3:PutObject', 'runs/birds/monday/000001/plan.json'],
  ['s3:GetObject', 'incoming/birds/monday/a.png'],
  ['s3:DeleteObject', 'incoming/birds/monday/a.png'],
  ['s3:DeleteObjectVersion', 'incoming/birds/monday/a.png'],
  ['s3:PutObjectAcl', 'incoming/birds/monday/a.png'],
])('and may not %s on %s', (action, key) => {
  expect(asks(action, key)).toBe(false);
});

it('nor write what no one else can read, with a key of its own', () => {
  expect(asks('s3:PutObject', 'incoming/birds/monday/a.png', CUSTOMER_KEY)).toBe(false);
});
