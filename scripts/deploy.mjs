// `npm run deploy -- --stage NAME …`: bundles the functions and deploys the stack. `npm run remove` deletes the stack; with --yes
// it first ends the work that would continue without it.
import { ensureInstalled, run, tool } from './bootstrap.mjs';

ensureInstalled();
const [command, ...given] = process.argv.slice(2);
// Serverless does not know this option, so the plugin reads it from the environment.
const endsAll = command === 'remove' && given.includes('--yes');
const options = endsAll ? given.filter((option) => option !== '--yes') : given;
const env = endsAll ? { INFERDROP_REMOVE_ALL: 'yes' } : {};
if (command === 'deploy') {
  for (const step of [
    ['scripts/bundle.ts'],
    ['scripts/write-bill-of-materials.mjs', 'build/functions/sbom.cdx.json'],
  ]) {
    const code = await run(step);
    if (code !== 0) process.exit(code);
  }
}
process.exitCode = await run([tool('serverless'), command, ...options], { env });
