/** Writes the table of conditions in docs/operate.md: `node scripts/write-conditions-table.ts`. A test compares them. */
import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { withConditions } from './conditions-table.ts';

const page = new URL('../docs/operate.md', import.meta.url);
const text = withConditions(await readFile(page, 'utf8'));
await writeFile(page, await format(text, { parser: 'markdown', ...(await resolveConfig(page.pathname)) }));
