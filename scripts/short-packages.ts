import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Code asks a package.json for its name and version alone: for the receipt, and for the SDK's user agent. */
export const shortPackages: Plugin = {
  name: 'short-packages',
  setup(build) {
    build.onLoad({ filter: /[\\/]package\.json$/ }, async ({ path: file }) => {
      const { name, version }: Readonly<Record<string, unknown>> = JSON.parse(await readFile(file, 'utf8'));
      return { contents: JSON.stringify({ name, version }), loader: 'json' };
    });
  },
};
