import path from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Leaves out of the SDK what Lambda never runs (ADR 4): hash functions in JavaScript, where Node has its own, and
 * signatures for several regions at once, which only S3's multi-region access points ask for.
 */
export const leanSdk: Plugin = {
  name: 'lean-sdk',
  setup(build) {
    build.onLoad({ filter: /[\\/](Sha1Js|Sha256Js|Md5Js)\.js$/ }, ({ path: file }) => ({
      contents: `export const ${path.basename(file, '.js')} = undefined;`,
      loader: 'js',
    }));
    build.onLoad(
      { filter: /signature-v4-multi-region[\\/]dist-es[\\/]SignatureV4MultiRegion\.js$/ },
      ({ path: file }) => ({
        contents: "export { SignatureV4 as SignatureV4MultiRegion } from '@smithy/signature-v4';",
        resolveDir: path.dirname(file),
        loader: 'js',
      }),
    );
  },
};
