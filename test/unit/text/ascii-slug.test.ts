import { expect, it } from 'vitest';
import { toAsciiSlug } from '../../../src/text/ascii-slug.ts';

it.each([
  ['Monday 1', 20, 'Monday-1'],
  ['Café', 20, 'Cafe'],
  ['a_/.b', 20, 'a-b'],
  ['(new)', 20, 'new'],
  ['ab cd', 3, 'ab'],
  ['日本', 20, 'x'],
  ['', 20, 'x'],
])('%j in at most %i characters is %s', (name, longest, slug) => {
  expect(toAsciiSlug(name, longest)).toBe(slug);
});
