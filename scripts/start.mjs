// `npm start`: the main job on the embedded stack.
import { ensureInstalled, run } from './bootstrap.mjs';

ensureInstalled();
process.exitCode = await run(['src/cli/main.ts', 'start', ...process.argv.slice(2)]);
