import { enableCompileCache } from 'node:module';
import { hasStored } from '../aws/calls/named-calls.ts';
import { runCommandLine } from './command-line.ts';
import { fileProblem } from './files/file-problem.ts';
import { DISK_FULL, isDiskFull } from './laptop/disk-full.ts';
import { Refusal } from './refusal.ts';
import { machineTime } from './show/signs-of-life.ts';
import { linesVisible, processTerminal } from './show/terminal.ts';
import { UsageError } from './usage-error.ts';

enableCompileCache();
// EPIPE is ignored: a reader such as `head` may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});
const terminal = processTerminal();
// Work that a stack does in the background fails outside of any command.
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.once(event, (error) => {
    terminal.note(
      isDiskFull(error)
        ? DISK_FULL
        : error instanceof Error
          ? stillStored(error)
            ? error.message
            : String(error.stack)
          : String(error),
    );
    process.exit(1);
  });
try {
  process.exitCode = await runCommandLine(process.argv.slice(2), terminal, machineTime);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  const isUsage = error instanceof UsageError;
  terminal.note(
    isUsage || error instanceof Refusal || process.env.INFERDROP_DEBUG === undefined
      ? isDiskFull(error)
        ? DISK_FULL
        : `inferdrop: ${linesVisible(fileProblem(error) ?? error.message)}${stillStored(error)}`
      : String(error.stack),
  );
  process.exitCode = isUsage ? 2 : 1;
}

/** Says whether files were uploaded before a call of AWS failed; empty for other errors. */
function stillStored(error: Error): string {
  if (!['Throttled', 'CredentialsProviderError', 'TokenProviderError'].includes(error.name)) return '';
  return hasStored() ? '. Files were uploaded before' : '. Nothing was uploaded';
}
