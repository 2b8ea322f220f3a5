import { readFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { toConfigurationPage } from '../../../scripts/configuration-page.ts';
import { publishedSchemas } from '../../../src/plan/published-schemas.ts';

test('the files of docs/schema are what the code says (npm run generate)', async () => {
  for (const [name, schema] of Object.entries(publishedSchemas())) {
    const text = await readFile(new URL(`../../../docs/schema/${name}`, import.meta.url), 'utf8');
    expect(JSON.parse(text), name).toEqual(JSON.parse(JSON.stringify(schema)));
  }
});

test('every field that people write is described or named by its enclosing field', () => {
  const schema = publishedSchemas()['pipeline.schema.json'];
  expect(schema).toMatchObject({
    required: ['model', 'labels'],
    additionalProperties: false,
    properties: {
      model: { required: ['framework', 'frameworkVersion'] },
      labels: { anyOf: [{ required: ['classes'] }, { type: 'null' }] },
    },
  });
});

test('docs/schema/README.md is what the code says (npm run generate)', async () => {
  const page = new URL('../../../docs/schema/README.md', import.meta.url);
  const settings = await resolveConfig(page.pathname);
  expect(await readFile(page, 'utf8')).toBe(
    await format(toConfigurationPage(), { parser: 'markdown', ...settings }),
  );
});
