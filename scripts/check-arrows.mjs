// Checks the rules for imports between folders.
import { execFileSync, spawnSync } from 'node:child_process';
import { root, tool } from './bootstrap.mjs';

const cruise = [tool('dependency-cruiser', 'depcruise'), '--config', '.dependency-cruiser.cjs'];
const folders = ['action', 'functions', 'src', 'web', 'packages', 'scripts', 'test', 'lab'];

const { status } = spawnSync(process.execPath, [...cruise, '--output-type', 'err', ...folders], {
  cwd: root,
  stdio: 'inherit',
});
if (status !== 0) process.exit(1);

// dependency-cruiser also passes when it reads no modules, so their number is checked too.
const json = execFileSync(process.execPath, [...cruise, '--output-type', 'json', 'src'], {
  cwd: root,
  maxBuffer: 1 << 28,
  encoding: 'utf8',
});
const { totalCruised } = JSON.parse(json).summary;
if (totalCruised <= 100) {
  process.stderr.write(
    `dependency-cruiser read only ${totalCruised} modules of src: it did not understand TypeScript\n`,
  );
  process.exit(1);
}
