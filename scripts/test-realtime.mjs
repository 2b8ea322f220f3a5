// `npm run test:realtime`: the endpoint's flow with all 1,000 images of the example, each compared with batch transform's answer.
import { ensureInstalled, run } from './bootstrap.mjs';

ensureInstalled();
process.exitCode = await run(['node_modules/vitest/vitest.mjs', 'run', 'test/flow/endpoint.test.ts'], {
  env: { INFERDROP_IMAGES: '1000' },
});
