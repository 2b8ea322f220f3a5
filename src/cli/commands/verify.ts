import { writeFile } from 'node:fs/promises';
import { allChecks } from '../../app/verify/all-checks.ts';
import { verify as runVerification } from '../../app/verify/verify.ts';
import { exitCodeOf, INTERRUPTED } from '../../verify/verification.ts';
import type { Command } from '../command.ts';
import type { Terminal } from '../terminal.ts';
import { verificationText, verificationTable } from '../verification-text.ts';
import { openVerification } from '../verify-services.ts';

const ONE_PRESS_MS = 1_000;

/** `inferdrop verify`: what the account, the stack and AWS's undocumented behaviour are really like. */
export function verify(options: {
  readonly stage: string;
  readonly spendUsd: number | undefined;
  readonly json: boolean;
  readonly save: string | undefined;
}): Command {
  return async (terminal) => {
    const interruption = new AbortController();
    let interruptedAt: number | undefined;
    const interrupt = (): void => {
      // A terminal signals the whole group, and the wrapper of this process hands it on: that is one Ctrl-C.
      if (interruptedAt === undefined) {
        interruptedAt = performance.now();
        terminal.note('Interrupted: what was created is removed first. Press Ctrl-C again to leave it.');
        interruption.abort();
      } else if (performance.now() - interruptedAt > ONE_PRESS_MS) process.exit(INTERRUPTED);
    };
    const { services, cleanUp } = await openVerification(options.stage, interruption.signal);
    process.on('SIGINT', interrupt);
    process.on('SIGTERM', interrupt);
    try {
      const verification = await runVerification(
        {
          checks: allChecks,
          spendUsd: options.spendUsd,
          signal: interruption.signal,
          watch: {
            begins: ({ name }) => terminal.status(`  ${name} …`),
            ended: () => terminal.status(''),
          },
        },
        services,
        cleanUp,
      );
      const text = verificationText(verification);
      if (options.save !== undefined) await writeFile(options.save, `${text.join('\n')}\n`);
      for (const line of options.json
        ? [JSON.stringify(verification)]
        : isTable(terminal)
          ? verificationTable(verification, terminal)
          : text)
        terminal.print(line);
      return exitCodeOf(verification);
    } finally {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
    }
  };
}

function isTable({ interactive }: Terminal): boolean {
  return interactive && process.stdout.isTTY === true;
}
