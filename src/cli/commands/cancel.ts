import { userInfo } from 'node:os';
import { cancel as cancelRun } from '../../app/run/cancel.ts';
import { connect } from '../application.ts';
import { defineCommand, STAGE } from '../define-command.ts';
import { requireRun } from '../runs/near-runs.ts';
import { toRun } from '../runs/run-result.ts';

/** `inferdrop cancel`: stops a run's execution and its transform job. */
export const command = defineCommand({
  about: 'Stops a run: its execution and its jobs. What it has predicted stays.',
  examples: ['inferdrop cancel cats/monday/000001'],
  page: 'docs/operate.md',
  options: STAGE,
  operand: 'RUN',
  async run({ options: { stage }, operand }, terminal) {
    const application = await connect(stage);
    const run = await requireRun(application.store, operand);
    const by = `${userInfo().username} with the inferdrop command line`;
    await cancelRun({ run: toRun(run), by }, { ...application, clock: () => new Date() });
    terminal.print(`${run} is canceled; its message follows`);
    return 0;
  },
});
