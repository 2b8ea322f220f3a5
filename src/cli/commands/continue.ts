import { continueRun } from '../../app/run/continue-run.ts';
import { quoted } from '../../text/shell-quoted.ts';
import { connect } from '../application.ts';
import { defineCommand, JSON_FORM, RUN_EXIT_CODES, STAGE, WAIT } from '../define-command.ts';
import { finishRun } from '../runs/finish-run.ts';
import { requireRun } from '../runs/near-runs.ts';
import { toRun } from '../runs/run-result.ts';

/** `inferdrop continue`: predicts what a run of a sample has not drawn. */
export const command = defineCommand({
  about: 'Predicts the inputs that a run of a sample has not drawn, by the same model; the report is of all.',
  exitCodes: RUN_EXIT_CODES,
  examples: ['inferdrop continue cats/monday/000001 --wait'],
  page: 'docs/judging.md',
  options: { ...WAIT, ...JSON_FORM, ...STAGE },
  operand: 'RUN',
  async run({ options, operand: of }, terminal) {
    const application = await connect(options.stage);
    const sampled = toRun(await requireRun(application.store, of));
    const startedAt = performance.now();
    const { run, outcome } = await continueRun({ run: sampled }, application);
    if (options.wait) return finishRun(application, run, terminal, { json: options.json, startedAt });
    const text =
      outcome === 'started'
        ? `${run} has started`
        : `${run} is there already: inferdrop rescore ${quoted(run)} judges it by today's labels and settings`;
    terminal.print(options.json ? JSON.stringify({ run }) : text);
    return 0;
  },
});
