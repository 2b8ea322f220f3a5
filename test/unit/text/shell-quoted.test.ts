import { expect, test } from 'vitest';
import { quoted } from '../../../src/text/shell-quoted.ts';

test.each([
  ['clothes/monday/000001', 'clothes/monday/000001'],
  ['clothes/mon day/000001', "'clothes/mon day/000001'"],
  ["it's", "'it'\\''s'"],
])('%s is given to a shell as %s', (argument, text) => expect(quoted(argument)).toBe(text));
