import { readFile } from 'node:fs/promises';

/** The module src/model/bundle/handler-text.ts: the handler that answers bundles, which functions carry as a text. */
export async function bundleHandlerModule(): Promise<string> {
  const handler = new URL('../packages/model-container/tensorflow/python/bundle_handler.py', import.meta.url);
  const text = await readFile(handler, 'utf8');
  return (
    '/** The handler that answers bundles, written by `node scripts/write-bundle-handler.ts`. */\n' +
    `export const BUNDLE_HANDLER =\n  ${JSON.stringify(text)};\n`
  );
}
