import { readFile } from 'node:fs/promises';

const PYTHON = new URL('../packages/model-container/', import.meta.url);
const FILES = {
  BUNDLE_MODULE: 'bundles/python/inferdrop_bundle.py',
  TENSORFLOW_HANDLER: 'tensorflow/python/bundle_handler.py',
  PYTORCH_HANDLER: 'pytorch/python/bundle_inference.py',
};

/** The module src/frameworks/bundle-handlers.ts: the handlers that answer bundles, which functions carry as texts. */
export async function bundleHandlerModule(): Promise<string> {
  const texts = await Promise.all(
    Object.entries(FILES).map(async ([name, file]) => {
      const text = await readFile(new URL(file, PYTHON), 'utf8');
      return `/** packages/model-container/${file} */\nexport const ${name} =\n  ${JSON.stringify(text)};\n`;
    }),
  );
  return `// Handlers that answer bundles, written by \`npm run generate\`.\n${texts.join('')}`;
}
