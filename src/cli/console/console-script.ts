import { build } from 'esbuild';
import { ROOT } from '../root-folder.ts';

/** The script of the console's pages, bundled from `web/console`. */
export async function consoleScript(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['web/console/main.ts'],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    charset: 'utf8',
    minify: true,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}
