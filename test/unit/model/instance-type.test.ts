import { expect, test } from 'vitest';
import {
  hasLocalDisks,
  instanceFamily,
  isGraviton,
  isSpeltAsInstanceType,
  isWithoutBatchTransform,
  processorOf,
} from '../../../src/model/instance-type.ts';
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

// The rule of SageMaker's Python SDK (`image_uris._processor`).
test.each([
  ['m5', 'cpu'],
  ['c6g', 'cpu'],
  ['r7i', 'cpu'],
  ['t3', 'cpu'],
  ['g4dn', 'gpu'],
  ['p3dn', 'gpu'],
  ['inf1', 'inf'],
  ['inf2', 'inf'],
  ['trn1', 'trn'],
  ['trn1n', 'trn'],
])('%s computes on %s', (family, processor) => {
  expect(processorOf(family)).toBe(processor);
});

test.each([
  ['c6g', true],
  ['m7gd', true],
  ['t4g', true],
  ['c6gn', true],
  ['x2gd', true],
  ['r10g', true],
  ['m6i', false],
  ['g5', false],
  ['g5g', false],
  ['im4gn', false],
  ['c6g-flex', false],
])('whether %s has ARM cores: %s', (family, expected) => {
  expect(isGraviton(family)).toBe(expected);
});

// “Instance store specifications” of https://docs.aws.amazon.com/ec2/latest/instancetypes/ac.html, gp.html, co.html and mo.html.
test.each(
  [
    'g4dn',
    'g5',
    'g6',
    'g6e',
    'p3dn',
    'p4d',
    'p4de',
    'p5',
    'p5e',
    'p5en',
    'p6-b200',
    'p6-b300',
    'p6e-gb200',
    'g7e',
    'dl1',
    'trn1',
    'trn1n',
    'trn2',
  ].concat(['c5d', 'm5d', 'm5dn', 'r5d', 'c6gd', 'm6gd', 'r7gd', 'c6id', 'm10gd']),
)('%s has disks of its own, whose volume takes no KMS key', (family) => {
  expect(hasLocalDisks(family)).toBe(true);
});

test.each(
  ['m4', 'c4', 'c5', 'm5', 'm5n', 'r5', 'r5b', 'm6i', 'c6in', 'c7g', 'm7i', 't3'].concat([
    'g5g',
    'p2',
    'p3',
    'inf1',
    'inf2',
    'd2',
  ]),
)('%s has only a volume, which takes the KMS key', (family) => {
  expect(hasLocalDisks(family)).toBe(false);
});

// `TransformInstanceType` of CreateTransformJob.
test.each(
  ['m4', 'c4', 'p2', 'p3', 'c5', 'm5', 'm6i', 'c6i', 'r6i', 'm7i', 'c7i', 'r7i'].concat(
    ['g4dn', 'g5', 'g6', 'g6e', 'trn1', 'inf2'],
    // Unknown to this release.
    ['m9i', 'g9', 'inf3'],
  ),
)('%s is not refused for batch transform', (family) => {
  expect(isWithoutBatchTransform(family)).toBe(false);
});

// Families that endpoints or training have, and batch transform does not.
test.each(
  [
    't2',
    't3',
    'p4d',
    'p4de',
    'p5',
    'p5en',
    'p6-b200',
    'p6e-gb200',
    'inf1',
    'c5d',
    'c5n',
    'm5d',
    'm5dn',
    'r5',
    'r5d',
  ].concat(['c6g', 'c6gn', 'c7g', 'm6gd', 'r8g', 'g4ad']),
)('%s is refused for batch transform', (family) => {
  expect(isWithoutBatchTransform(family)).toBe(true);
});

test('a quota has the name that Service Quotas shows', () => {
  expect(quotaName('ml.m5.large', 'transform job')).toBe('ml.m5.large for transform job usage');
  expect(quotaName('ml.p3.2xlarge', 'spot training job')).toBe('ml.p3.2xlarge for spot training job usage');
});
