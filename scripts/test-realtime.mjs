// `npm run test:realtime`: the endpoint's flow with all 1,000 images of the example, each answered as batch transform did.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { status, error } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'test/flow/endpoint.test.ts'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, INFERDROP_IMAGES: '1000' } },
);
if (error) throw error;
process.exit(status ?? 1);
