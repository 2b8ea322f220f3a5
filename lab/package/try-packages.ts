// `npm run lab -- packages`: packs every package of packages/, installs all in an empty folder, and runs the example of each README there.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildWorkspaces } from '../../scripts/package/build-workspaces.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const EXAMPLE = path.join(ROOT, 'examples', 'fashion-mnist');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

const home = mkdtempSync(path.join(tmpdir(), 'inferdrop-packages-'));
const project = path.join(home, 'project');
mkdirSync(path.join(project, 'model'), { recursive: true });
/** Environment of a user: no variable of this repository's npm. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|INFERDROP_)/.test(name)),
);

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', shell: process.platform === 'win32' });
}

/** The first program of a README, and what its comments say that it prints. */
function exampleOf(name: string): { program: string; printed: readonly string[] } {
  const readme = readFileSync(path.join(ROOT, 'packages', name, 'README.md'), 'utf8');
  const program = /^```ts\n([^]*?)^```/m.exec(readme)?.[1] ?? assert.fail(`${name} has no example`);
  return { program, printed: [...program.matchAll(/(?:^|; )\/\/ (.*)$/gm)].map(([, text = '']) => text) };
}

try {
  const folders = buildWorkspaces(ROOT, path.join(home, 'packages'));
  const tarballs = folders.map((folder) =>
    path.join(home, run(npm, ['pack', '--silent', `--pack-destination=${home}`], folder).trim()),
  );
  writeFileSync(path.join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  run(npm, ['install', '--no-audit', '--no-fund', '--silent', '--ignore-scripts', ...tarballs], project);
  run('tar', ['-xzf', path.join(EXAMPLE, 'model.tar.gz'), '-C', 'model'], project);
  copyFileSync(path.join(EXAMPLE, 'images', '0000_ankle-boot.png'), path.join(project, 'image.png'));
  for (const folder of folders) {
    const name = path.basename(folder);
    const { program, printed } = exampleOf(name);
    writeFileSync(path.join(project, `${name}.mjs`), program);
    const lines = run(process.execPath, [`${name}.mjs`], project)
      .trimEnd()
      .split('\n');
    assert.ok(lines[0], `the example of ${name} prints nothing`);
    for (const text of printed)
      assert.ok(lines.includes(text), `${name} says that it prints ${text}, and prints ${lines.join('\n')}`);
    process.stdout.write(`${name}: ${lines.at(-1)}\n`);
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
