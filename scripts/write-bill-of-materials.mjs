// `node scripts/write-bill-of-materials.mjs FILE`: npm's list of an installation without development dependencies, as CycloneDX.
// Reproducible, so that a deployment without a change is recognized as one.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { npm, root } from './bootstrap.mjs';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('name the file: node scripts/write-bill-of-materials.mjs FILE');

const work = mkdtempSync(path.join(tmpdir(), 'bill-of-materials-'));
try {
  const folder = path.join(work, 'inferdrop'); // npm names the component after its folder.
  mkdirSync(folder);
  writeWithoutDevelopment(folder);
  const bill = JSON.parse(askNpm(folder));
  // Fields that differ between two calls, and between versions of npm.
  delete bill.serialNumber;
  delete bill.metadata.timestamp;
  delete bill.metadata.tools;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/**
 * `npm sbom --omit=dev` leaves out packages that a development dependency needs as well, such as zod, so development dependencies
 * are removed first.
 */
function writeWithoutDevelopment(folder) {
  const manifest = read('package.json');
  const lock = read('package-lock.json');
  delete manifest.devDependencies;
  const packages = Object.entries(lock.packages).filter(([, { dev }]) => dev !== true);
  lock.packages = Object.fromEntries(packages);
  delete lock.packages[''].devDependencies;
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify(lock));
}

function askNpm(folder) {
  const { command, args, shell } = npm('sbom', '--package-lock-only', '--sbom-format=cyclonedx');
  // Settings of the user and of `npm run` could name another folder, or leave packages out.
  const settings = [`--prefix=${folder}`, '--include=prod', '--include=optional', '--include=peer'];
  // The repository's .npmrc is not read here, so its settings are repeated: no update check, no log in the user's folder.
  settings.push('--no-update-notifier', '--logs-max=0');
  const { status, error, stdout, stderr } = spawnSync(command, [...args, ...settings], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    shell,
  });
  if (error) throw new Error(`npm could not be started: ${error.message}`);
  if (status !== 0) throw new Error(`npm sbom ended with exit code ${status}:\n${stderr}`);
  return stdout;
}

function read(name) {
  return JSON.parse(readFileSync(path.join(root, name), 'utf8'));
}
