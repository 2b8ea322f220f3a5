import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { batchImage, familyOf, INSTANCE_FAMILIES } from '../../../src/model/instance-families.ts';
import { instanceFamily } from '../../../src/model/instance-type.ts';
import { priceTable } from '../../../src/price/price-table.ts';

const MODEL = new URL('../../../packages/laptop/service-model/models/sagemaker.json', import.meta.url);
const { shapes }: { shapes: Record<string, { enum: string[] }> } = JSON.parse(readFileSync(MODEL, 'utf8'));
const familiesIn = (shape: string) => new Set(shapes[shape]!.enum.map((type) => instanceFamily(type)!));

test.each([
  'TransformInstanceType',
  'TrainingInstanceType',
  'ProcessingInstanceType',
  'ProductionVariantInstanceType',
])("each family of AWS's enumeration %s has a row", (shape) => {
  expect([...familiesIn(shape)].filter((family) => !INSTANCE_FAMILIES.has(family))).toEqual([]);
});

test('the rows of batch transform are those of its enumeration', () => {
  const rows = [...INSTANCE_FAMILIES].filter(([, { batch }]) => batch).map(([family]) => family);
  expect(rows.sort()).toEqual([...familiesIn('TransformInstanceType')].sort());
});

test('each instance type with a price has a row', () => {
  const priced = Object.keys(priceTable.usdPerHour).map((type) => instanceFamily(type)!);
  expect(priced.filter((family) => !INSTANCE_FAMILIES.has(family))).toEqual([]);
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
  expect(familyOf(`ml.${family}.xlarge`).processor).toBe(processor);
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
  expect(familyOf(`ml.${family}.xlarge`).arm).toBe(expected);
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
  expect(familyOf(`ml.${family}.xlarge`).disks).toBe(true);
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
  expect(familyOf(`ml.${family}.xlarge`).disks).toBe(false);
});

// `TransformInstanceType` of CreateTransformJob.
test.each(
  ['m4', 'c4', 'p2', 'p3', 'c5', 'm5', 'm6i', 'c6i', 'r6i', 'm7i', 'c7i', 'r7i'].concat(
    ['g4dn', 'g5', 'g6', 'g6e', 'trn1', 'inf2'],
    // Unknown to this release.
    ['m9i', 'g9', 'inf3'],
  ),
)('%s is not refused for batch transform', (family) => {
  expect(familyOf(`ml.${family}.xlarge`).batch).toBe(true);
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
  expect(familyOf(`ml.${family}.xlarge`).batch).toBe(false);
});

test.each([
  ['t3', true],
  ['t4g', true],
  ['trn1', false],
  ['m5', false],
])('whether %s is burstable: %s', (family, expected) => {
  expect(familyOf(`ml.${family}.xlarge`).burstable).toBe(expected);
});

test.each([
  [['ml.g4dn.xlarge'], 'al2-ami-sagemaker-batch-gpu-535'],
  [['ml.g5.xlarge', 'ml.g6.xlarge', 'ml.g6e.xlarge'], 'al2-ami-sagemaker-batch-gpu-535'],
  [['ml.m5.xlarge'], null],
  [['ml.g5.xlarge', 'ml.p3.2xlarge'], null],
  [['ml.p3.2xlarge', 'ml.g5.xlarge'], null],
  [['ml.inf2.xlarge'], null],
])('transform jobs on %j have the image %s', (types, image) => {
  expect(batchImage(types)).toBe(image);
});

test.each([
  ['ml.g4dn.xlarge', 'al2-ami-sagemaker-inference-gpu-2'],
  ['ml.p5en.48xlarge', 'al2-ami-sagemaker-inference-gpu-2'],
  ['ml.p3.2xlarge', null],
  ['ml.c7g.large', null],
])('an endpoint of %s has the image %s', (type, image) => {
  expect(familyOf(type).hostingImage).toBe(image);
});
