import { RequestProblem } from '../../api/problem-details.ts';
import { compareData, MAX_COMPARED } from '../../app/overview/compare-data.ts';
import { compareTrainings } from '../../app/overview/compare-trainings.ts';
import { liveCurves } from '../../app/overview/live-curves.ts';
import { reportJson } from '../../app/records/report.ts';
import { compareRuns } from '../../app/report/compare-runs.ts';
import { trainingLogs } from '../../aws/logs/training-log.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { RUN_KINDS } from '../../run/run-kind.ts';
import { connect } from '../application.ts';
import { defineCommand, JSON_FORM, STAGE } from '../define-command.ts';
import { Refusal } from '../refusal.ts';
import { meantRuns, requireRun } from '../runs/near-runs.ts';
import { toRun } from '../runs/run-result.ts';
import { comparedRunLines, comparedTrainingLines } from '../show/compared-lines.ts';
import { comparisonLines } from '../show/comparison-lines.ts';
import type { Terminal } from '../show/terminal.ts';
import { UsageError } from '../usage-error.ts';

/** `inferdrop compare`: ended runs on the inputs that they share, or trainings next to each other. */
export const command = defineCommand({
  about:
    'Compares runs with the first of them, record by record, on the inputs with the same content. ' +
    'The labels come from the later run. Trainings stand side by side: hyperparameters, metrics, and how each model was judged.',
  examples: [
    'inferdrop compare cats/monday/000001 cats/tuesday/000001',
    'inferdrop compare training/cats/a/000001 training/cats/b/000001',
  ],
  page: 'docs/reports.md',
  options: { ...JSON_FORM, ...STAGE },
  operand: 'RUN RUN…',
  async run({ options, operands }, terminal) {
    if (operands.length > MAX_COMPARED)
      throw new UsageError(`compare takes at most ${MAX_COMPARED} runs, ${operands.length} are given`);
    const { store } = await connect(options.stage);
    const names: string[] = [];
    for (const operand of operands) names.push(await requireRun(store, operand));
    const runs = names.map(toRun);
    const trainings = runs.filter(({ kind }) => !RUN_KINDS[kind].isJudged);
    if (trainings.length > 0 && trainings.length < runs.length)
      throw new UsageError('compare takes runs or trainings, not both');
    const show = <T>(data: T, lines: (data: T, terminal: Terminal) => readonly string[]): void => {
      if (options.json) terminal.print(JSON.stringify(data));
      else for (const line of lines(data, terminal)) terminal.print(line);
    };
    try {
      if (trainings.length > 0) {
        const curves = liveCurves(trainingLogs, () => new Date());
        show(await compareTrainings(runs, { store, liveCurves: curves }), comparedTrainingLines);
      } else if (runs.length === 2) await compareTwo(store, names, options.json, terminal);
      else show(await compareData(store, runs), comparedRunLines);
    } catch (error) {
      if (error instanceof RequestProblem) throw new Refusal(`${error.message} (inferdrop runs lists them)`);
      throw error;
    }
    return 0;
  },
});

async function compareTwo(
  store: ObjectStore,
  [first = '', second = '']: readonly string[],
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const now = toRun(second);
  const report = await reportJson(now).read(store);
  if (report === undefined)
    throw new Refusal(
      `${second} has no report: it still runs or does not exist${await meantRuns(store, second)}`,
    );
  const { comparison, other } = await compareRuns(store, now, toRun(first));
  if (json) terminal.print(JSON.stringify({ before: first, now: second, comparison }));
  else for (const line of comparisonLines(other, report, comparison, terminal)) terminal.print(line);
}
