import { connect } from '../application.ts';
import { defineCommand, JSON_FORM, RUN_EXIT_CODES, STAGE } from '../define-command.ts';
import { finishRun } from '../runs/finish-run.ts';
import { requireBegun, requireRun } from '../runs/near-runs.ts';

/** `inferdrop watch`: follows a run that another command, or an upload, has started. */
export const command = defineCommand({
  about: 'Shows a run or training until it has ended, as --wait of the command that starts it does.',
  exitCodes: RUN_EXIT_CODES,
  examples: ['inferdrop watch cats/monday/000001'],
  page: 'docs/operate.md',
  options: { ...JSON_FORM, ...STAGE },
  operand: 'RUN',
  async run({ options: { stage, json }, operand }, terminal) {
    const application = await connect(stage);
    const run = await requireRun(application.store, operand);
    await requireBegun(application, run);
    return finishRun(application, run, terminal, { json, startedAt: performance.now() });
  },
});
