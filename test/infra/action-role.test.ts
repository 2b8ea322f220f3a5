import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { decider } from '../../packages/laptop/iam/decide.ts';
import { parsePolicy } from '../../packages/laptop/iam/policy-document.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { evaluationDrop } from '../../src/run/run-id.ts';
import { aDrop } from '../support/a-run.ts';

const read = (name: string) =>
  readFileSync(new URL(`../../docs/policies/aws/${name}.json`, import.meta.url), 'utf8');
const decide = decider([
  parsePolicy(
    'action',
    JSON.parse(read('action-role').replaceAll('BUCKET', 'drops').replaceAll('PIPELINE', 'birds')),
  ),
]);
const asks = (action: string, key: string) =>
  decide({ action, resource: `arn:aws:s3:::drops/${key}`, context: {} }) === 'allowed';
const OWN = 'birds-pr-7';
const inDrop = (drop: string) => `${bucketLayout.dropFolder(aDrop(drop))}a.png`;

it.each([
  ['s3:PutObject', bucketLayout.pipelineModel(OWN)],
  ['s3:PutObject', bucketLayout.pipelineConfig(OWN)],
  ['s3:PutObject', inDrop(`${OWN}/ci-1-1`)],
  ['s3:GetObject', `runs/${OWN}/ci-1-1/000001/report.json`],
  ['s3:GetObject', 'runs/birds/monday/000001/rows/000000.parquet'],
  ['s3:DeleteObject', bucketLayout.pipelineConfig(OWN)],
  ['s3:GetObject', bucketLayout.pipelineConfig('birds')],
])('a pull request may %s %s', (action, key) => {
  expect(asks(action, key)).toBe(true);
});

it.each([
  ['s3:PutObject', bucketLayout.pipelineConfig('birds')],
  ['s3:PutObject', bucketLayout.pipelineModel('birds')],
  ['s3:PutObject', bucketLayout.pipelineModel('birds/x-pr-7')],
  ['s3:PutObject', inDrop(`birds/${evaluationDrop('x-pr-7')}`)],
  ['s3:PutObject', inDrop('birds/x-pr-7')],
  ['s3:PutObject', inDrop('training/birds-pr-7/x')],
  ['s3:PutObject', inDrop('fish-pr-7/x')],
  ['s3:PutObject', `runs/${OWN}/ci-1-1/000001/report.json`],
  ['s3:PutObject', `state/${OWN}/ledger.json`],
  ['s3:PutObject', bucketLayout.prices()],
  ['s3:DeleteObject', bucketLayout.pipelineConfig('birds')],
  ['s3:DeleteObject', bucketLayout.pipelineModel(OWN)],
  ['s3:GetObject', bucketLayout.pipelineModel('birds')],
  ['s3:GetObject', 'incoming/birds/monday/a.png'],
  ['s3:GetObject', 'runs/fish/monday/000001/report.json'],
])('and may not %s %s', (action, key) => {
  expect(asks(action, key)).toBe(false);
});

it('its role is for pull requests only', () => {
  const [statement] = JSON.parse(read('action-trust')).Statement;
  expect(statement.Condition.StringEquals).toEqual({
    'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
    'token.actions.githubusercontent.com:sub': 'repo:OWNER@OWNER_ID/REPOSITORY@REPOSITORY_ID:pull_request',
  });
});
