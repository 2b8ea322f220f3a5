#!/usr/bin/env node
import path from 'node:path';
import { ensureInstalled, lookForCredentials, root, run } from '../scripts/bootstrap.mjs';

ensureInstalled({ development: false });
await lookForCredentials(process.argv.slice(2));
process.exitCode = await run([path.join(root, 'src/cli/main.ts'), ...process.argv.slice(2)], {
  cwd: process.cwd(),
});
