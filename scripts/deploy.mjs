// `npm run deploy -- --stage NAME …`: bundles the functions and deploys the stack. `npm run remove` takes it away, and with --yes ends
// first what would go on without it.
import { ensureInstalled, run, tool } from './bootstrap.mjs';

ensureInstalled();
const [command, ...given] = process.argv.slice(2);
// Serverless does not know this option, so its plugin reads it from the environment.
const endsAll = command === 'remove' && given.includes('--yes');
const options = endsAll ? given.filter((option) => option !== '--yes') : given;
const env = endsAll ? { INFERDROP_REMOVE_ALL: 'yes' } : {};
const built = command === 'deploy' ? await run(['scripts/bundle.ts']) : 0;
process.exitCode = built === 0 ? await run([tool('serverless'), command, ...options], { env }) : built;
