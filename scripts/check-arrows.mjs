// Checks the rules for imports between folders.
import { execFileSync, spawnSync } from 'node:child_process';
import { root, tool } from './bootstrap.mjs';

const folders = ['action', 'functions', 'src', 'web', 'packages', 'scripts', 'test', 'lab'];
const json = execFileSync(
  process.execPath,
  [
    tool('dependency-cruiser', 'depcruise'),
    ...['--config', '.dependency-cruiser.cjs', '--output-type', 'json'],
    ...folders,
  ],
  { cwd: root, maxBuffer: 1 << 28, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
);
// dependency-cruiser also passes when it reads no modules.
const { totalCruised } = JSON.parse(json).summary;
if (totalCruised <= 100) {
  process.stderr.write(
    `dependency-cruiser read only ${totalCruised} modules: it did not understand TypeScript\n`,
  );
  process.exit(1);
}
const shown = ['--output-type', 'err', '--exit-code', '-'];
const { status } = spawnSync(process.execPath, [tool('dependency-cruiser', 'depcruise-fmt'), ...shown], {
  cwd: root,
  input: json,
  stdio: ['pipe', 'inherit', 'inherit'],
});
process.exitCode = status === 0 ? 0 : 1;
