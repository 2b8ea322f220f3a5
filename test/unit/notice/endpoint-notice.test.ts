import { expect, test } from 'vitest';
import { type EndpointNews, toEndpointNotice } from '../../../src/notice/endpoint-notice.ts';

const serving = {
  deployedBy: 'birds/monday/000001',
  hardware: '2 × ml.m5.xlarge',
  hourlyUsd: 0.4608,
  maxHourlyUsd: null,
  expiresAt: '2026-03-01T20:00:00.000Z',
};
const unpriced = {
  deployedBy: 'birds/monday/000001',
  hardware: 'serverless, 4096 MB, 10 at once',
  hourlyUsd: null,
  maxHourlyUsd: null,
  expiresAt: null,
};
const run = 'birds/monday/000001';
const reason = 'the answers differ';
const dueAt = '2026-03-01T20:00:00.000Z';

const NEWS: readonly EndpointNews[] = [
  { outcome: 'deployed', run, tested: 5, serving },
  { outcome: 'deployed', run, tested: 3, serving: unpriced },
  { outcome: 'unchanged', run, tested: 5, serving },
  { outcome: 'unchanged', run: 'birds/tuesday/000001', tested: 0, serving },
  { outcome: 'rolled-back', run, reason, serving },
  { outcome: 'rolled-back', run, reason, serving: null },
  { outcome: 'unharmed', reason, serving },
  { outcome: 'unharmed', reason, serving: null },
  { outcome: 'deleted', reason, servedHours: 10, hourlyUsd: 0.25, maxHourlyUsd: null },
  { outcome: 'deleted', reason, servedHours: null, hourlyUsd: 0.25, maxHourlyUsd: null },
  { outcome: 'deleted', reason, servedHours: 10, hourlyUsd: null, maxHourlyUsd: null },
  { outcome: 'ending', reason: 'expired', dueAt, idleHours: null, hourlyUsd: 0.25, maxHourlyUsd: null },
  { outcome: 'ending', reason: 'idle', dueAt, idleHours: 4, hourlyUsd: null, maxHourlyUsd: null },
  { outcome: 'failed', action: 'deploy', reason },
];

test('the messages about an endpoint look as they did', async () => {
  const texts = NEWS.map((news) => {
    const { subject, body, attributes } = toEndpointNotice('birds', 'inferdrop-dev-birds-0123', news);
    return `Subject: ${subject}\n${JSON.stringify(attributes)}\n\n${body}`;
  });
  await expect(texts.join('\n')).toMatchFileSnapshot('../../golden/notice/endpoint.txt');
});

test('a subject is one that SNS takes, whatever the pipeline is called', () => {
  const { subject } = toEndpointNotice(`bïrds\n${'x'.repeat(200)}`, 'endpoint', NEWS[0]!);
  expect(subject).toMatch(/^[\x20-\x7e]{1,100}$/);
});

test('the price of an endpoint that is scaled is a range', () => {
  const scaled = { ...serving, hourlyUsd: 0.25, maxHourlyUsd: 1 };
  expect(
    toEndpointNotice('birds', 'e', { outcome: 'deployed', run, tested: 5, serving: scaled }).body,
  ).toContain('Cost       $0.25 to $1.00 an hour, $182.50 to $730.00 a month');
  const price = { hourlyUsd: 0.25, maxHourlyUsd: 1 };
  expect(
    toEndpointNotice('birds', 'e', { outcome: 'deleted', reason, servedHours: 10, ...price }).body,
  ).toContain('Cost       $2.50 to $10.00 since its last deployment');
});
