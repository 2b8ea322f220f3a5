import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { transform } from 'esbuild';

/** The scripts of report.html are text in the code: readable there, small in the bundles and so in every report. */
export const smallPageScripts: Plugin = {
  name: 'small-page-scripts',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/]report[\\/]page[\\/][\w-]*script\.ts$/ }, async ({ path: file }) => {
      const scripts: Readonly<Record<string, unknown>> = await import(pathToFileURL(file).href);
      const exports = Object.entries(scripts).map(async ([name, text]) => {
        if (typeof text !== 'string') throw new Error(`${file}: ${name} must be a script's text`);
        const { code } = await transform(text, { minify: true });
        return `export const ${name} = ${JSON.stringify(code)};`;
      });
      return { contents: (await Promise.all(exports)).join('\n'), loader: 'js' };
    });
  },
};
