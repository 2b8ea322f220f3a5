import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

const EXPORTED = /^export (?:const|function|class) (\w+)/gm;

/**
 * Leaves zod's writer of JSON Schemas out of the bundles: each schema holds on to it, and only scripts/write-schemas.ts
 * asks for it (ADR 4).
 */
export const noJsonSchema: Plugin = {
  name: 'no-json-schema',
  setup(build) {
    build.onLoad(
      { filter: /zod[\\/]v4[\\/]core[\\/](json-schema-processors|to-json-schema)\.js$/ },
      async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const names = Array.from(source.matchAll(EXPORTED), ([, name]) => name);
        const refuse =
          "const refuse = () => { throw new Error('JSON Schemas are left out of the bundles: see docs/adr/0004-bundles.md'); };";
        // Schemas make their methods when they are made; only a call of one would use what is left out.
        const stubs = names.map((name) =>
          /Method$/.test(name ?? '')
            ? `export const ${name} = () => refuse;`
            : `export const ${name} = refuse;`,
        );
        return { contents: [refuse, ...stubs].join('\n'), loader: 'js' };
      },
    );
  },
};
