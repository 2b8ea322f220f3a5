import { expect, it } from 'vitest';
import { countHidden, type HiddenFiles } from '../../../src/drop/hidden-files.ts';

it('counts each hidden file once, also where a listing meets some of them twice, and names the first three', () => {
  const hidden: HiddenFiles = { count: 0, first: [] };
  for (const key of ['.a', '.b', '.a', '.b', '.c', '.d', '.e']) countHidden(hidden, key);
  expect(hidden).toEqual({ count: 5, first: ['.a', '.b', '.c'], through: '.e' });
});
