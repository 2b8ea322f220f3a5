/** Writes docs/models.md from the converter's tables: `node scripts/write-models-page.ts`. A test compares them. */
import { writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { toModelsPage } from './models-page.ts';

const page = new URL('../docs/models.md', import.meta.url);
const settings = await resolveConfig(page);
await writeFile(page, await format(toModelsPage(), { parser: 'markdown', ...settings }));
