import { readFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { OPERATION_KINDS } from '@inferdrop/savedmodel/operation-kinds';
import { CONVERTIBLE_OPERATIONS } from '../../packages/savedmodel/onnx/convert-graph.ts';
import { toModelsPage } from '../../scripts/models-page.ts';

test('docs/models.md is what the converter’s tables say (node scripts/write-models-page.ts)', async () => {
  const page = new URL('../../docs/models.md', import.meta.url);
  const settings = await resolveConfig(page.pathname);
  const written = await format(toModelsPage(), { parser: 'markdown', ...settings });
  expect(await readFile(page, 'utf8')).toBe(written);
});

test('an operation is of one kind only', () => {
  const all = OPERATION_KINDS.flatMap(({ converters }) => Object.keys(converters)).sort();
  expect(all).toEqual(CONVERTIBLE_OPERATIONS);
});

test.each(OPERATION_KINDS.map((kind) => [kind.title, kind] as const))(
  '%s: its limits are of its own operations',
  (_, { converters, limits }) => {
    const named = limits.flatMap(([operations]) => operations.split(' ').filter((name) => name !== ''));
    expect(named.filter((name) => !Object.hasOwn(converters, name))).toEqual([]);
  },
);
