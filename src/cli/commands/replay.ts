import { replay as replayRun, ReplayRefused } from '../../app/run/replay.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { connect } from '../application.ts';
import { defineCommand, JSON_FORM, STAGE, WAIT } from '../define-command.ts';
import { awaitRun, tellThatItGoesOn } from '../runs/finish-run.ts';
import { requireFrozen, requireRun } from '../runs/near-runs.ts';
import { toRun } from '../runs/run-result.ts';
import { summaryLines } from '../show/summary-lines.ts';
import { type Terminal, visible } from '../show/terminal.ts';

/** `inferdrop replay`: repeats a run with its own plan and compares its predictions row by row. */
export const command = defineCommand({
  about:
    'Runs the files of a run again with its own model and settings, and compares the predictions row by row.',
  exitCodes: { 0: 'every prediction is the same', 1: 'one differs, or the run failed or was refused' },
  examples: ['inferdrop replay cats/monday/000001 --wait'],
  page: 'docs/reports.md',
  options: { ...WAIT, ...JSON_FORM, ...STAGE },
  operand: 'RUN',
  async run({ options, operand: of }, terminal) {
    const application = await connect(options.stage);
    const original = toRun(await requireRun(application.store, of));
    await requireFrozen(application.store, of);
    let run: string;
    try {
      ({ run } = await replayRun({ run: original }, application));
    } catch (error) {
      if (!(error instanceof ReplayRefused) || error.changed.length === 0) throw error;
      return refused(error, terminal, options.json);
    }
    if (!options.wait) {
      terminal.print(options.json ? JSON.stringify({ run }) : `${run} has started`);
      return 0;
    }
    const takeBack = tellThatItGoesOn(run, terminal);
    const { report, success } = await awaitRun(application, run, terminal).finally(takeBack);
    const { comparison } = report;
    const same =
      comparison !== null &&
      comparison.sameClass === comparison.answered &&
      comparison.onlyNow + comparison.onlyBefore === 0;
    if (options.json) {
      const { answered, identical, sameClass, scoreDistance, onlyNow, onlyBefore } = comparison ?? {};
      const rows = { answered, identical, sameClass, scoreDistance, onlyNow, onlyBefore };
      terminal.print(JSON.stringify({ run, of, status: report.status, same, rows }));
    } else {
      for (const line of summaryLines(report, terminal)) terminal.print(line);
      const link = await application.links(bucketLayout.reportHtml(toRun(run)));
      terminal.print(`Report, to open within an hour: ${link}`);
    }
    return success && same ? 0 : 1;
  },
});

function refused({ message, changed }: ReplayRefused, terminal: Terminal, json: boolean): number {
  if (json) terminal.print(JSON.stringify({ refused: message, changed }));
  else {
    for (const { key, change } of changed) terminal.print(`${change.padEnd(11)} ${visible(key)}`);
    terminal.note(visible(message));
  }
  return 1;
}
