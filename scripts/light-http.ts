import type { Plugin } from 'esbuild';

/** What the SDK and we ourselves use of it; a name that is not here fails the build. */
const USED = ['Agent', 'request', 'STATUS_CODES'];

/**
 * Has bundles ask Node for `node:http` by name. An `import` of it makes Node read all that the module exports, and one of those
 * is a WebSocket client with a whole HTTP stack of its own, which is then loaded for nothing: half of a small function's
 * cold start (ADR 4).
 */
export const lightHttp: Plugin = {
  name: 'light-http',
  setup(build) {
    build.onResolve({ filter: /^(node:)?http$/ }, () => ({ path: 'node:http', namespace: 'light-http' }));
    build.onLoad({ filter: /./, namespace: 'light-http' }, () => ({
      contents: `
        const http = process.getBuiltinModule('node:http');
        export default http;
        export const { ${USED.join(', ')} } = http;
      `,
    }));
  },
};
