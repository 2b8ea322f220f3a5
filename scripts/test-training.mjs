// `npm run test:training`: jobs of PyTorch and TensorFlow, AWS's toolkit as the oracle, and without arguments the notebooks' estimators
// of the SageMaker SDK, each with its count.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ensureInstalled, node24, root } from './bootstrap.mjs';
import { runVitest } from './run-vitest.mjs';

ensureInstalled();
// Environments are kept between runs, beside the ones of the other checks; nothing reaches the user's own cache.
process.env.INFERDROP_CACHE = path.join(root, '.venv', 'inferdrop');
const config = path.join(root, 'vitest.training.config.ts');
process.exitCode = await runVitest('test-training-results.json', [
  `--config=${config}`,
  ...process.argv.slice(2),
]);

if (process.argv.length === 2) {
  const { status } = spawnSync(node24(), [path.join(root, 'scripts', 'test-clients.mjs'), '--frameworks'], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exitCode ||= status ?? 1;
}
