import { expect, test } from 'vitest';
import { instanceFamily, isSpeltAsInstanceType } from '../../../src/model/instance-type.ts';
import { quotaName } from '../../../src/model/quota-name.ts';

test.each([
  ['ml.m5.xlarge', 'm5'],
  ['ml.g4dn.12xlarge', 'g4dn'],
  ['ml.p6-b200.48xlarge', 'p6-b200'],
  ['m5.xlarge', undefined],
  ['an ml.m5.xlarge', undefined],
  ['ml.m5.xlarge or larger', undefined],
  ['ml.m5', undefined],
])('the family of %j is %s', (type, family) => {
  expect(instanceFamily(type)).toBe(family);
});

test.each([
  'ml.t3.medium',
  'ml.m5.large',
  'ml.m5.xlarge',
  'ml.g4dn.12xlarge',
  'ml.trn1.32xlarge',
  'ml.inf2.48xlarge',
  'ml.p6-b200.48xlarge',
  'ml.m5.metal',
  'ml.m7i.metal-24xl',
])('%s is spelt as AWS spells instance types', (type) => {
  expect(isSpeltAsInstanceType(type)).toBe(true);
});

test.each([
  'ml.g4dn.12xlage',
  'ml.g4dn.12xlarges',
  'ml.m5.12large',
  'ml.m5.1000xlarge',
  'ml.m5.metal-xl',
  'ml.5m.xlarge',
  'ml.g.xlarge',
  'ml.g4_dn.xlarge',
  'ML.m5.xlarge',
  'm5.xlarge',
  'one ml.m5.xlarge',
])('%s is not', (type) => {
  expect(isSpeltAsInstanceType(type)).toBe(false);
});

test('a quota has the name that Service Quotas shows', () => {
  expect(quotaName('ml.m5.large', 'transform job')).toBe('ml.m5.large for transform job usage');
  expect(quotaName('ml.p3.2xlarge', 'spot training job')).toBe('ml.p3.2xlarge for spot training job usage');
});
