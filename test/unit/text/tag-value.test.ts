import { expect, it } from 'vitest';
import { toTagValue } from '../../../src/text/tag-value.ts';

it('keeps what AWS allows in a tag and replaces the rest', () => {
  expect(toTagValue('cifar10/Montag 1_a.b:c=d+e-f@g/000001')).toBe('cifar10/Montag 1_a.b:c=d+e-f@g/000001');
  expect(toTagValue('Übung#1 (neu)')).toBe('Übung_1 _neu_');
  expect(toTagValue('x'.repeat(300))).toHaveLength(256);
});
