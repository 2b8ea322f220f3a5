/** Writes docs/schema/*.json from the code: `node scripts/write-schemas.ts`. A test holds them together. */
import { mkdir, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { publishedSchemas } from '../src/plan/published-schemas.ts';

const folder = new URL('../docs/schema/', import.meta.url);
await mkdir(folder, { recursive: true });
for (const [name, schema] of Object.entries(publishedSchemas())) {
  await writeFile(
    new URL(name, folder),
    await format(JSON.stringify(schema), { parser: 'json', ...(await resolveConfig(folder.pathname)) }),
  );
}
