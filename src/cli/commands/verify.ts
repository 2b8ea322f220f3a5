import { open, writeFile } from 'node:fs/promises';
import { allChecks } from '../../app/verify/all-checks.ts';
import { exitCodeOf, INTERRUPTED } from '../../app/verify/verification.ts';
import { verify as runVerification } from '../../app/verify/verify.ts';
import { defineCommand, JSON_FORM, STAGE, valued } from '../define-command.ts';
import type { Terminal } from '../show/terminal.ts';
import { verificationTable, verificationText } from '../show/verification-text.ts';
import { UsageError } from '../usage-error.ts';
import { openVerification } from '../verify-services.ts';

const ONE_PRESS_MS = 1_000;

/** `inferdrop verify`: checks the account, the stack and AWS's undocumented behavior. */
export const command = defineCommand({
  about:
    'Asks AWS what only an account can answer: quotas, permissions, and behavior that is documented nowhere. It ' +
    'reads only, unless --spend allows more.',
  exitCodes: { 0: 'no check failed', 1: 'a check failed' },
  examples: ['inferdrop verify --stage prod', 'inferdrop verify --stage prod --spend 1 --save verify.txt'],
  page: 'docs/verify.md',
  options: {
    spend: valued('USD', 'most that its checks may cost together'),
    save: valued('FILE', 'write a file to attach to a report'),
    ...JSON_FORM,
    ...STAGE,
  },
  async run({ options }, terminal) {
    const spendUsd = options.spend === undefined ? undefined : toDollars(options.spend);
    const interruption = new AbortController();
    let interruptedAt: number | undefined;
    const interrupt = (): void => {
      // A terminal signals the whole process group, and this process's wrapper forwards the signal: both count as one Ctrl-C.
      if (interruptedAt === undefined) {
        interruptedAt = performance.now();
        terminal.note('Interrupted: what was created is removed first. Press Ctrl-C again to leave it.');
        interruption.abort();
      } else if (performance.now() - interruptedAt > ONE_PRESS_MS) process.exit(INTERRUPTED);
    };
    // What cannot be written would be known only after minutes and money.
    if (options.save !== undefined) await (await open(options.save, 'a')).close();
    const { services, cleanUp } = await openVerification(options.stage, interruption.signal);
    process.on('SIGINT', interrupt);
    process.on('SIGTERM', interrupt);
    try {
      const verification = await runVerification(
        {
          checks: allChecks,
          spendUsd,
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
  },
});

function isTable({ interactive }: Terminal): boolean {
  return interactive && process.stdout.isTTY === true;
}

function toDollars(text: string): number {
  const dollars = Number(text);
  if (/^\d+(\.\d{1,2})?$/.test(text) && dollars <= 1000) return dollars;
  throw new UsageError(`--spend must be an amount in US dollars of 0..1000, as in 5 or 0.50, is ${text}`);
}
