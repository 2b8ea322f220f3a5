import path from 'node:path';
import type { Metafile } from 'esbuild';
import { beforeAll, expect, it } from 'vitest';
import { billOfMaterials } from '../../scripts/bill-of-materials.ts';
import { packageApplication } from '../../scripts/package-application.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

let bill: { bomFormat: string; components: Record<string, any>[] };
beforeAll(async () => {
  bill = JSON.parse((await packageApplication(ROOT, 'dev')).billOfMaterials);
});

it('names the packages that are in a function, with version, digest and license', () => {
  expect(bill.bomFormat).toBe('CycloneDX');
  const names = bill.components.map(({ name }) => name);
  for (const name of [
    'zod',
    '@aws-sdk/client-s3',
    '@middy/core',
    're2js',
    'hyparquet-writer',
    'pyodide',
    'onnxruntime-node',
  ])
    expect(names).toContain(name);
  for (const { name, purl, hashes, licenses } of bill.components) {
    expect(purl, name).toMatch(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d/);
    expect(hashes, name).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
    expect(licenses, name).toEqual([{ expression: expect.stringMatching(/\w/) }]);
  }
});

it('names no package that is merely installed', () => {
  const names = bill.components.map(({ name }) => name);
  for (const name of ['esbuild', 'osls', 'serverless', 'vitest', 'jsonata'])
    expect(names).not.toContain(name);
});

it('leaves out a package of which nothing has come into the output', () => {
  const metafile = (bytesInOutput: number): Metafile => ({
    inputs: {},
    outputs: {
      'out.mjs': {
        bytes: 1,
        imports: [],
        exports: [],
        inputs: { 'node_modules/pngjs/lib/png.js': { bytesInOutput } },
      },
    },
  });
  const componentsOf = (bytes: number) => JSON.parse(billOfMaterials(ROOT, [metafile(bytes)])).components;
  expect(componentsOf(0)).toEqual([]);
  expect(componentsOf(1)).toMatchObject([{ name: 'pngjs', licenses: [{ expression: 'MIT' }] }]);
});
