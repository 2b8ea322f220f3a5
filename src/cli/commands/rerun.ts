import { rerun as rerunRun } from '../../app/run/rerun.ts';
import { connect } from '../application.ts';
import { defineCommand, JSON_FORM, STAGE, WAIT } from '../define-command.ts';
import { finishRun } from '../runs/finish-run.ts';
import { requireFrozen, requireRun } from '../runs/near-runs.ts';
import { toRun } from '../runs/run-result.ts';

/** `inferdrop rerun`: runs the same manifest again, with a new plan. */
export const command = defineCommand({
  usage: `inferdrop rerun RUN [--wait] [--json]
    The same files with today's pipeline.json.`,
  options: { ...WAIT, ...JSON_FORM, ...STAGE },
  operand: 'RUN',
  async run({ options, operand: of }, terminal) {
    const application = await connect(options.stage);
    const original = toRun(await requireRun(application.store, of));
    await requireFrozen(application.store, of);
    const startedAt = performance.now();
    const { run } = await rerunRun({ run: original }, application);
    if (options.wait) return finishRun(application, run, terminal, { json: options.json, startedAt });
    terminal.print(options.json ? JSON.stringify({ run }) : `${run} has started`);
    return 0;
  },
});
