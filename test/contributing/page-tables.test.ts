import { readFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { PAGE_TABLES, withTables } from '../../scripts/page-tables.ts';

test.each([...new Set(PAGE_TABLES.map(({ page }) => page))])(
  '%s has the tables of the code (npm run generate)',
  async (page) => {
    const file = new URL(`../../${page}`, import.meta.url);
    const text = await readFile(file, 'utf8');
    const settings = await resolveConfig(file.pathname);
    expect(text).toBe(await format(withTables(page, text), { parser: 'markdown', ...settings }));
  },
);

test.each(PAGE_TABLES.map(({ page, head, rows }) => [page, head.join(', '), rows] as const))(
  '%s: each row of %s has all its cells',
  (_, __, rows) => {
    expect(rows().length).toBeGreaterThan(8);
    expect(rows().filter((cells) => cells.some((cell) => cell === '' || cell === '``'))).toEqual([]);
  },
);
