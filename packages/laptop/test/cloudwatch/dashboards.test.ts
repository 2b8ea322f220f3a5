import { expect, test } from 'vitest';
import { checkDashboard } from '../../cloudwatch/dashboard-body.ts';

const metric = {
  type: 'metric',
  width: 8,
  properties: { region: 'us-east-1', metrics: [['mine', 'Failures']] },
};
const text = { type: 'text', x: 0, y: 6, properties: { markdown: '# Title' } };
const bodyOf = (...widgets: object[]) => JSON.stringify({ widgets });

test('a dashboard of widgets is taken', () => {
  expect(() => checkDashboard(bodyOf(metric, text))).not.toThrow();
});

test.each([
  ['no JSON', '{', 'it is no JSON'],
  ['a body without widgets', '{}', 'widgets'],
  ['a widget of an unknown type', bodyOf({ ...metric, type: 'chart' }), 'widgets/0/type'],
  ['a widget wider than the page', bodyOf({ ...metric, width: 25 }), 'widgets/0/width'],
  [
    'a metric widget without a region',
    bodyOf(text, { ...metric, properties: { metrics: [['a', 'b']] } }),
    'widgets/1/properties/region',
  ],
  [
    'a metric widget that draws nothing',
    bodyOf({ ...metric, properties: { region: 'us-east-1' } }),
    'must have metrics',
  ],
  ['a misspelt member', bodyOf({ ...metric, widht: 8 }), 'widht'],
])('%s is refused', (_what, body, problem) => {
  expect(() => checkDashboard(body)).toThrow(problem);
});
