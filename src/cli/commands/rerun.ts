import { rerun as rerunRun } from '../../app/run/rerun.ts';
import { connect } from '../application.ts';
import { defineCommand, JSON_FORM, RUN_EXIT_CODES, STAGE, WAIT } from '../define-command.ts';
import { finishRun } from '../runs/finish-run.ts';
import { requireFrozen, requireRun } from '../runs/near-runs.ts';
import { toRun } from '../runs/run-result.ts';

/** `inferdrop rerun`: runs the same manifest again, with a new plan. */
export const command = defineCommand({
  about: "Runs the files of a run again with today's pipeline.json and model.",
  exitCodes: RUN_EXIT_CODES,
  examples: ['inferdrop rerun cats/monday/000001 --wait'],
  page: 'docs/reports.md',
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
