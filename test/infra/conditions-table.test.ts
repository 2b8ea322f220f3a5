import { readFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { withConditions } from '../../scripts/conditions-table.ts';

it('docs/operate.md has the table of conditions (node scripts/write-conditions-table.ts)', async () => {
  const page = new URL('../../docs/operate.md', import.meta.url);
  const text = await readFile(page, 'utf8');
  const settings = await resolveConfig(page.pathname);
  expect(text).toBe(await format(withConditions(text), { parser: 'markdown', ...settings }));
});
