import { reportJson } from '../../app/records/report.ts';
import { compareRuns } from '../../app/report/compare-runs.ts';
import { RUN_KINDS } from '../../run/run-kind.ts';
import { connect } from '../application.ts';
import { defineCommand, JSON_FORM, STAGE } from '../define-command.ts';
import { Refusal } from '../refusal.ts';
import { meantRuns, requireRun } from '../runs/near-runs.ts';
import { toRun } from '../runs/run-result.ts';
import { comparisonLines } from '../show/comparison-lines.ts';
import { UsageError } from '../usage-error.ts';

/** `inferdrop compare`: two ended runs, on the inputs that both have. */
export const command = defineCommand({
  about:
    'Compares a run with one before it, record by record, on the inputs with the same name below the drop and the same content. ' +
    'The labels are those of the second run.',
  examples: ['inferdrop compare cats/monday/000001 cats/tuesday/000001'],
  page: 'docs/reports.md',
  options: { ...JSON_FORM, ...STAGE },
  operand: 'RUN RUN',
  async run({ options, operands: [first = '', second = ''] }, terminal) {
    const { store } = await connect(options.stage);
    const before = toRun(await requireRun(store, first));
    const now = toRun(await requireRun(store, second));
    if (!RUN_KINDS[before.kind].isJudged || !RUN_KINDS[now.kind].isJudged)
      throw new UsageError('compare takes runs, and no trainings, which have no rows');
    const report = await reportJson(now).read(store);
    if (report === undefined)
      throw new Refusal(
        `${second} has no report: it still runs or does not exist${await meantRuns(store, second)}`,
      );
    const { comparison, other } = await compareRuns(store, now, before);
    if (options.json) terminal.print(JSON.stringify({ before: first, now: second, comparison }));
    else for (const line of comparisonLines(other, report, comparison, terminal)) terminal.print(line);
    return 0;
  },
});
