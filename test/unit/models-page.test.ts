import { readFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { FAMILIES } from '@inferdrop/savedmodel/internal/families';
import { CONVERTIBLE_OPERATIONS } from '../../packages/savedmodel/onnx/convert-graph.ts';
import { toModelsPage } from '../../scripts/models-page.ts';

test('docs/models.md is what the converter’s tables say (npm run generate)', async () => {
  const page = new URL('../../docs/models.md', import.meta.url);
  const settings = await resolveConfig(page.pathname);
  const written = await format(toModelsPage(), { parser: 'markdown', ...settings });
  expect(await readFile(page, 'utf8')).toBe(written);
});

test('an operation is of one family only', () => {
  const all = FAMILIES.flatMap(({ operations }) => Object.keys(operations)).sort();
  expect(all).toEqual(CONVERTIBLE_OPERATIONS);
});

test.each(FAMILIES.map((family) => [family.title, family] as const))(
  '%s: its limits are of its own operations',
  (_, { operations, limits }) => {
    const named = limits.flatMap(([names]) => names.split(' ').filter((name) => name !== ''));
    expect(named.filter((name) => !Object.hasOwn(operations, name))).toEqual([]);
  },
);
