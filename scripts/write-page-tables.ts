/** Writes the tables of pages that come from the code: `node scripts/write-page-tables.ts`. A test compares them. */
import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { PAGE_TABLES, withTables } from './page-tables.ts';

for (const page of new Set(PAGE_TABLES.map((table) => table.page))) {
  const file = new URL(`../${page}`, import.meta.url);
  const text = withTables(page, await readFile(file, 'utf8'));
  await writeFile(file, await format(text, { parser: 'markdown', ...(await resolveConfig(file)) }));
}
