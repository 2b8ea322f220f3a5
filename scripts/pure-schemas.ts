import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** A schema of an SDK client: an array over several lines that ends with a bracket on a line of its own. */
const SCHEMA = /^export var (\w+\$?) = (\[(?!.*\];$)[\s\S]*?\n\]);$/gm;

/**
 * Tells esbuild that the SDK's schemas are data. Their computed keys look like side effects to it, so every operation's
 * schema would stay in the bundle of a function that calls three.
 */
export const pureSchemas: Plugin = {
  name: 'pure-schemas',
  setup(build) {
    build.onLoad(
      { filter: /@aws-sdk[\\/]client-[^\\/]+[\\/]dist-es[\\/]schemas[\\/]\w+\.js$/ },
      async ({ path }) => {
        const source = await readFile(path, 'utf8');
        return {
          contents: source.replace(SCHEMA, 'export var $1 = /* @__PURE__ */ (() => $2)();'),
          loader: 'js',
        };
      },
    );
  },
};
