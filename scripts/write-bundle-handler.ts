/** Writes src/frameworks/bundle-handlers.ts from packages/model-container: `node scripts/write-bundle-handler.ts`. A test compares them. */
import { writeFile } from 'node:fs/promises';
import { bundleHandlerModule } from './bundle-handler.ts';

await writeFile(
  new URL('../src/frameworks/bundle-handlers.ts', import.meta.url),
  await bundleHandlerModule(),
);
