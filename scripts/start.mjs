// `npm start`: runs the example on the local stack.
import { ensureInstalled, run } from './bootstrap.mjs';

ensureInstalled({ development: false });
process.exitCode = await run(['src/cli/main.ts', 'start', ...process.argv.slice(2)]);
