import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Text of src/report/page/page-script-text.ts: the script of report.html, bundled from web/report/main.ts. */
export async function pageScriptModule(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
    entryPoints: ['web/report/main.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2023',
    charset: 'utf8',
    minify: true,
    logLevel: 'warning',
  });
  // A `</` would end the element of the script; in a string or a regular expression `<\/` means the same.
  const script = outputFiles[0]?.text.trimEnd().replaceAll('</', '<\\/');
  return (
    `/** Script of report.html, bundled from web/report by \`npm run generate\`. */\nexport const ` +
    `PAGE_SCRIPT =\n  ${JSON.stringify(script)};\n`
  );
}
