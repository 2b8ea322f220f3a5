// `npm run deploy -- --stage NAME …`: bundles the functions and deploys the stack. `npm run remove` takes it away.
import { ensureInstalled, run, tool } from './bootstrap.mjs';

ensureInstalled();
const [command, ...options] = process.argv.slice(2);
const built = command === 'deploy' ? await run(['scripts/bundle.ts']) : 0;
process.exitCode = built === 0 ? await run([tool('serverless'), command, ...options]) : built;
