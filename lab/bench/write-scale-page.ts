/** Writes docs/scale.md from its model: `node lab/bench/write-scale-page.ts`. A test compares them. */
import { writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { toScalePage } from './scale/scale-page.ts';

const page = new URL('../../docs/scale.md', import.meta.url);
const settings = await resolveConfig(page);
await writeFile(page, await format(toScalePage(), { parser: 'markdown', ...settings }));
