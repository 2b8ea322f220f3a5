import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import manifest from '../../scripts/node/package.json' with { type: 'json' };
import lock from '../../scripts/node/package-lock.json' with { type: 'json' };
import { binaryOf, NODE_BINARIES } from '../../scripts/node-binaries.mjs';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const platform = NODE_BINARIES[`${process.platform}-${process.arch}`];
const original = platform && binaryOf(path.join(ROOT, 'scripts', 'node', 'node_modules'), platform);

let clone: string;

beforeEach(() => {
  clone = mkdtempSync(path.join(tmpdir(), 'inferdrop-node-'));
  const filter = (file: string) => path.basename(file) !== 'node_modules';
  cpSync(path.join(ROOT, 'scripts'), path.join(clone, 'scripts'), { recursive: true, filter });
});
afterEach(() => rmSync(clone, { recursive: true }));

/** What `node24()` of a clone says when `binary` runs it. */
function choose(binary: string, environment: NodeJS.ProcessEnv = {}) {
  const code = "const { node24 } = await import('./scripts/bootstrap.mjs'); console.log(node24());";
  const { status, stdout, stderr } = spawnSync(binary, ['--input-type=module', '--eval', code], {
    cwd: clone,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...environment },
  });
  return { status, chosen: stdout.trim(), said: stderr };
}

it('lists a digest for each package that carries Node, and no other', () => {
  const listed = Object.values(NODE_BINARIES).map(({ name }) => name);
  expect(listed.sort()).toEqual(Object.keys(manifest.optionalDependencies).sort());
  for (const [name, version] of Object.entries(manifest.optionalDependencies)) {
    const locked = Object.entries(lock.packages).find(([place]) => place === `node_modules/${name}`)?.[1];
    expect(locked).toMatchObject({ version, integrity: expect.stringMatching(/^sha512-/) });
  }
});

describe.skipIf(platform === undefined || !existsSync(original!))('the binary that npm brings along', () => {
  let binary: string;

  beforeEach(() => {
    binary = binaryOf(path.join(clone, 'scripts', 'node', 'node_modules'), platform!);
    mkdirSync(path.dirname(binary), { recursive: true });
    copyFileSync(original!, binary);
    const record = path.join('scripts', 'node', 'node_modules', '.package-lock.json');
    copyFileSync(path.join(ROOT, record), path.join(clone, record));
  });

  it('is taken where it is the one in the list', () => {
    expect(choose(binary)).toMatchObject({ status: 0, chosen: binary });
  });

  it('is refused where a byte was added to it', () => {
    appendFileSync(binary, '\n');
    const { status, chosen, said } = choose(binary);
    expect([status, chosen]).toEqual([1, '']);
    expect(said).toContain(`${binary} must have the SHA-256 ${platform!.sha256}`);
  });

  it('is refused where it was changed after it had been taken', () => {
    expect(choose(binary).status).toBe(0);
    appendFileSync(binary, '\n');
    expect(choose(binary)).toMatchObject({ status: 1, chosen: '' });
  });

  it('is not taken where the user has a Node from 24 on, although the script runs on the installed one', () => {
    appendFileSync(binary, '\n');
    expect(choose(binary, { npm_node_execpath: process.execPath })).toMatchObject({
      status: 0,
      chosen: process.execPath,
    });
  });
});

describe('an old Node', () => {
  it('is refused in one line', () => {
    const code = `
      Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } });
      await import('./scripts/bootstrap.mjs');`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: clone,
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^inferdrop needs Node 20 or newer; this is Node 18\.20\.4 .+nodejs\.org.+\n$/);
  });

  it('from 20.0 on finds the folder of the repository, though import.meta.dirname came with 20.11', () => {
    const scripts = readdirSync(path.join(ROOT, 'scripts')).filter((file) => file.endsWith('.mjs'));
    for (const file of scripts)
      expect(readFileSync(path.join(ROOT, 'scripts', file), 'utf8'), file).not.toMatch(/import\.meta\.[df]i/);
  });
});
