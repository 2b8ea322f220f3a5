import { enableCompileCache } from 'node:module';
import { runCommandLine } from './command-line.ts';
import { processTerminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

enableCompileCache();
// EPIPE is ignored: a reader such as `head` may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});
const terminal = processTerminal();
try {
  process.exitCode = await runCommandLine(process.argv.slice(2), terminal);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  const isUsage = error instanceof UsageError;
  terminal.note(
    isUsage || process.env.INFERDROP_DEBUG === undefined
      ? `inferdrop: ${error.message}`
      : String(error.stack),
  );
  process.exitCode = isUsage ? 2 : 1;
}
