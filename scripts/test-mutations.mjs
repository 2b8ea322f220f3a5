// `npm run test:mutations`: the packaged application with one deliberate mistake at a time; prints what detected each, and the
// message.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureInstalled, root } from './bootstrap.mjs';
import { runVitest } from './run-vitest.mjs';

ensureInstalled();
const folder = path.join(root, 'build', 'mutations');
rmSync(folder, { recursive: true, force: true });
const code = await runVitest('test-results-mutations.json', ['test/mutations', ...process.argv.slice(2)]);
process.stdout.write(
  '| mistake | detected by | message of the laptop | part of the message of AWS |\n| --- | --- | --- | --- |\n',
);
for (const file of readdirSync(folder).sort())
  process.stdout.write(readFileSync(path.join(folder, file), 'utf8'));
process.exitCode = code;
