// `npm run deploy -- --stage NAME …`: reviews the deployment, bundles the functions and deploys the stack. `npm run remove` deletes
// the stack; with --yes it first ends the work that would continue without it.
import { ensureInstalled, run, tool } from './bootstrap.mjs';

ensureInstalled({ development: false });
const [command, ...given] = process.argv.slice(2);
// Serverless does not know this option, so the plugin reads it from the environment.
const endsAll = command === 'remove' && given.includes('--yes');
const options = endsAll ? given.filter((option) => option !== '--yes') : given;
const env = endsAll ? { INFERDROP_REMOVE_ALL: 'yes' } : {};
const isNamed = options.some((option) => /^(--region|-r)(=|$)/.test(option));
const region = process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION;
if (!isNamed && region !== undefined) options.push('--region', region);
process.exitCode = await run([tool('serverless'), command, ...options], { env });
