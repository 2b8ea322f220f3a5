#!/usr/bin/env node
import path from 'node:path';
import { ensureInstalled, root, run } from '../scripts/bootstrap.mjs';

ensureInstalled({ development: false });
process.exitCode = await run([path.join(root, 'src/cli/main.ts'), ...process.argv.slice(2)], {
  cwd: process.cwd(),
});
