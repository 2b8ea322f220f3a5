import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import lock from '../../package-lock.json' with { type: 'json' };

const ROOT = path.resolve(import.meta.dirname, '..', '..');

/** The bill as a process with these settings writes it. */
function write(environment: NodeJS.ProcessEnv = {}): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'inferdrop-bill-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'sbom.cdx.json');
  execFileSync(process.execPath, ['scripts/write-bill-of-materials.mjs', file], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
  });
  return readFileSync(file, 'utf8');
}

it('names every package that is not for development alone, with version, digest and licence, and no other', () => {
  const { components: all, bomFormat } = JSON.parse(write());
  // The repository's own packages have no digest: nothing of them was fetched.
  const components = all.filter((one: { purl: string }) => !one.purl.startsWith('pkg:npm/%40inferdrop/'));
  const listed = components.map((one: Record<string, string>) => `${one.name}@${one.version}`);
  // An alias has the name that it is asked for by; npm lists what is asked for.
  const locked = Object.entries<{ version?: string; dev?: boolean; link?: boolean }>(lock.packages)
    .filter(([place, { dev, link }]) => place.includes('node_modules/') && dev !== true && link !== true)
    .map(([place, { version }]) => `${place.split('node_modules/').at(-1)}@${version}`);
  expect(listed.sort()).toEqual([...new Set(locked)].sort());
  // `npm sbom --omit=dev` leaves these out, since development dependencies ask for them, too.
  for (const name of ['zod', 'esbuild', '@aws-sdk/client-s3'])
    expect(listed.some((one: string) => one.startsWith(`${name}@`))).toBe(true);
  for (const { name, hashes, licenses } of components) {
    expect(hashes, name).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
    expect(licenses, name).not.toEqual([]);
  }
  expect(bomFormat).toBe('CycloneDX');
});

it('is the same each time, also under the settings of npm’s scripts and of a user', () => {
  const settings = {
    npm_config_local_prefix: ROOT,
    npm_config_omit: 'optional',
    npm_config_loglevel: 'silly',
  };
  expect(write(settings)).toBe(write());
});
