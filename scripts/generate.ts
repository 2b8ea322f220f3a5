/** `npm run generate` writes every file that comes from code; with `--check` it names the stale ones instead. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generatedFiles } from './generated-files.ts';

const root = path.resolve(import.meta.dirname, '..');
const isCheck = process.argv.includes('--check');
const files = await generatedFiles(root);

const stale = [...files].filter(([name, text]) => {
  const file = path.join(root, name);
  return !existsSync(file) || readFileSync(file, 'utf8') !== text;
});
for (const [name, text] of stale) {
  if (isCheck) process.stderr.write(`${name} is stale: npm run generate\n`);
  else {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    process.stdout.write(`${name}\n`);
  }
}
if (isCheck && stale.length > 0) process.exitCode = 1;
