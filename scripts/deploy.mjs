// `npm run deploy -- --stage NAME …`: bundles the functions and deploys the stack. `npm run remove` takes it away.
import path from 'node:path';
import { ensureInstalled, root, run } from './bootstrap.mjs';

ensureInstalled();
const [command, ...options] = process.argv.slice(2);
const serverless = path.join(root, 'node_modules', 'serverless', 'bin', 'serverless.js');
const built = command === 'deploy' ? await run(['scripts/bundle.ts']) : 0;
process.exitCode = built === 0 ? await run([serverless, command, ...options]) : built;
