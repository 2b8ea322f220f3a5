/** Writes docs/openapi.json from the code: `node scripts/write-openapi.ts`. A test compares them. */
import { writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { openApiDocument } from '../src/api/openapi.ts';

const file = new URL('../docs/openapi.json', import.meta.url);
await writeFile(
  file,
  await format(JSON.stringify(openApiDocument()), {
    parser: 'json',
    ...(await resolveConfig(file)),
  }),
);
