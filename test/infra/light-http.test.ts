import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';
import type { Plugin } from 'esbuild';
import { expect, it } from 'vitest';
import { lightHttp } from '../../scripts/light-http.ts';

const PROGRAM = `
  import { request } from 'node:http';
  const undici = process.moduleLoadList.filter((name) => name.includes('undici/undici'));
  console.log(typeof request, undici.length);
`;

async function run(plugins: Plugin[]): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: PROGRAM },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    plugins,
  });
  const arguments_ = ['--input-type=module', '--eval', outputFiles[0]!.text];
  return execFileSync(process.execPath, arguments_, { encoding: 'utf8' }).trim();
}

it('an import of node:http loads undici, and what the plugin makes of it does not', async () => {
  expect(await run([])).toBe('function 1');
  expect(await run([lightHttp])).toBe('function 0');
});
