import { SourceMap } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { ownSourceMap } from '../../scripts/own-source-map.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const OWN = `import colors from 'picocolors';
export function fail(name: string): never {
  throw new Error(colors.red(\`no \${name}\`));
}
`;

it('names every place of own code as before, and none of a package', async () => {
  const { outputFiles } = await build({
    stdin: { contents: OWN, sourcefile: 'src/fail.ts', resolveDir: ROOT, loader: 'ts' },
    outfile: path.join(ROOT, 'index.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    minify: true,
    sourcemap: 'linked',
    sourcesContent: false,
    write: false,
  });
  const [text = '', code = ''] = outputFiles.map((file) => file.text);
  const own = ownSourceMap(text);
  expect(own.length).toBeLessThan(text.length / 3);
  const [before, after] = [text, own].map((map) => new SourceMap(JSON.parse(map)));
  const seen = { own: 0, foreign: 0 };
  code.split('\n').forEach((line, at) => {
    for (let column = 0; column < line.length; column++) {
      const was = before!.findEntry(at, column) as Record<string, unknown>;
      const is = after!.findEntry(at, column) as Record<string, unknown>;
      const isOwn = was['originalSource'] === 'src/fail.ts';
      seen[isOwn ? 'own' : 'foreign']++;
      if (isOwn)
        for (const field of ['originalSource', 'originalLine', 'originalColumn', 'name'])
          expect(is[field], `${at}:${column}`).toBe(was[field]);
      else expect(is['originalSource'], `${at}:${column}`).toBeUndefined();
    }
  });
  expect(seen.own).toBeGreaterThan(20);
  expect(seen.foreign).toBeGreaterThan(100);
});
