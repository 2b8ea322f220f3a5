import { connect } from '../application.ts';
import { openConsole } from '../console/open-console.ts';
import { defaulted, defineCommand, STAGE } from '../define-command.ts';
import { untilInterrupted } from '../laptop/laptop-stack.ts';
import { Refusal } from '../refusal.ts';
import { UsageError } from '../usage-error.ts';

/** `inferdrop console`: the pages of a deployment, served on this machine until Ctrl-C. */
export const command = defineCommand({
  about:
    'Serves pages of pipelines, runs and their reports only on this machine, until Ctrl-C. They work with your own ' +
    'credentials; nothing is deployed for them.',
  examples: ['inferdrop console', 'inferdrop console --stage prod --port 0'],
  page: 'docs/console.md',
  options: {
    port: defaulted('4821', 'N', 'port of 127.0.0.1 that it listens on; 0 takes any free one'),
    ...STAGE,
  },
  async run({ options }, terminal) {
    const port = /^\d{1,5}$/.test(options.port) ? Number(options.port) : -1;
    if (port < 0 || port > 65_535) throw new UsageError(`--port must be 0..65535, is ${options.port}`);
    const pages = await openConsole(await connect(options.stage), options.stage, port).catch(
      (error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
          throw new Refusal(
            `port ${port} is taken, perhaps by another console: name another with --port (0 takes any free one)`,
          );
        throw error;
      },
    );
    terminal.print(`Console: ${pages.address}`);
    await untilInterrupted(terminal);
    terminal.note('Stopping…');
    await pages.close();
    return 0;
  },
});
