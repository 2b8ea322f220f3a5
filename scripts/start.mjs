// `npm start`: runs the example on the local stack.
import { runInferdrop } from './bootstrap.mjs';

process.exitCode = await runInferdrop(['start', ...process.argv.slice(2)]);
