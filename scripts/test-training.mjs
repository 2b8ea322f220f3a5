// `npm run test:training`: jobs of PyTorch and TensorFlow, and AWS's toolkit as the oracle, with the count as the last line.
import path from 'node:path';
import { ensureInstalled, root } from './bootstrap.mjs';
import { runVitest } from './run-vitest.mjs';

ensureInstalled();
// Environments are kept between runs, beside the ones of the other checks; nothing reaches the user's own cache.
process.env.INFERDROP_CACHE = path.join(root, '.venv', 'inferdrop');
const config = path.join(root, 'vitest.training.config.ts');
process.exitCode = await runVitest('test-training-results.json', [
  `--config=${config}`,
  ...process.argv.slice(2),
]);
