// `npm start`: runs the example on the local stack.
import { ensureInstalled, run } from './bootstrap.mjs';

ensureInstalled();
process.exitCode = await run(['src/cli/main.ts', 'start', ...process.argv.slice(2)]);
