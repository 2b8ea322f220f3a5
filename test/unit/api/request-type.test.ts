import { expect, test } from 'vitest';
import { requestType } from '../../../src/api/request-type.ts';

test.each([
  ['a.png', 'image/png'],
  ['b.JPG', 'image/jpeg'],
  ['rows.csv', 'text/csv'],
  ['photo', 'application/x-image'],
])('%s is sent, and shown in the command, as %s', (name, type) => {
  expect(requestType(name)).toBe(type);
});
