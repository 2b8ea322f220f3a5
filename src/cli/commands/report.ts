import path from 'node:path';
import { reportJson } from '../../app/records/report.ts';
import { trainingReportJson } from '../../app/records/training-report.ts';
import { compareRuns } from '../../app/report/compare-runs.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { MAX_EXEMPLARS } from '../../metric/exemplar.ts';
import type { Report } from '../../report/report.ts';
import { githubMarkdown } from '../../report/text/github-markdown.ts';
import { reportMarkdown } from '../../report/text/report-markdown.ts';
import { trainingLines, trainingMarkdown } from '../../report/training/training-markdown.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import type { ByRunKind } from '../../run/run-kind.ts';
import { quoted } from '../../text/shell-quoted.ts';
import { connect, laptopInUse } from '../application.ts';
import { defineCommand, flag, JSON_FORM, oneOfWords, STAGE, valued } from '../define-command.ts';
import { saveReport } from '../files/save-report.ts';
import { writeRowsAsCsv } from '../files/write-rows-as-csv.ts';
import { Refusal } from '../refusal.ts';
import { meantRuns, requireRun } from '../runs/near-runs.ts';
import { toRun } from '../runs/run-result.ts';
import { mistakeLines } from '../show/mistake-lines.ts';
import { summaryLines } from '../show/summary-lines.ts';
import { type Terminal, visible } from '../show/terminal.ts';
import { UsageError } from '../usage-error.ts';

/** `inferdrop report`: a run's result as text, JSON, Markdown, CSV rows or files. */
export const command = defineCommand({
  about: 'Shows the result of a run or training: in a few lines, as its rows, or as the files of its report.',
  examples: [
    'inferdrop report cats/monday/000001',
    'inferdrop report cats/monday/000001 --mistakes 5',
    'inferdrop report cats/monday/000001 --save out',
    'inferdrop report cats/pr-7/000001 --against cats/main/000001 --format github',
    'inferdrop report training/cats/monday/000001 --markdown',
  ],
  page: 'docs/reports.md',
  options: {
    csv: flag('print its rows, a prediction a line'),
    ...JSON_FORM,
    markdown: flag('print its summary as Markdown'),
    format: valued('github', "print it as a pull request's comment"),
    against: valued('RUN', 'with --format: compare it with this run, on the inputs of both'),
    mistakes: valued(
      'N',
      `list the N most confident mistakes, ${MAX_EXEMPLARS} at most; --csv has every record`,
    ),
    save: valued('DIR', 'copy its files into a folder'),
    ...STAGE,
  },
  oneOf: ['csv', 'json', 'markdown', 'format', 'mistakes', 'save'],
  operand: 'RUN',
  async run({ options, operand }, terminal) {
    const { against, format } = options;
    if (format !== undefined) oneOfWords('format', format, ['github']);
    else if (against !== undefined) throw new UsageError('--against needs --format github');
    const mistakes = options.mistakes === undefined ? undefined : toCount(options.mistakes);
    const { store } = await connect(options.stage);
    const run = toRun(await requireRun(store, operand));
    await PRINT_REPORT[run.kind](store, run, { ...options, mistakes }, terminal);
    return 0;
  },
});

interface Form {
  readonly csv: boolean;
  readonly json: boolean;
  readonly markdown: boolean;
  readonly format?: string | undefined;
  readonly against?: string | undefined;
  readonly mistakes?: number | undefined;
  readonly save?: string | undefined;
}

function toCount(text: string): number {
  if (/^[1-9]\d*$/.test(text) && Number(text) <= MAX_EXEMPLARS) return Number(text);
  throw new UsageError(
    `--mistakes must be 1 to ${MAX_EXEMPLARS}, is ${text}; --csv prints every record, right or wrong`,
  );
}

const PRINT_REPORT: ByRunKind<typeof printTraining> = { inference: printReport, training: printTraining };

/** Prints the report of a run in the requested form. */
async function printReport(
  store: ObjectStore,
  run: RunParts,
  { csv, json, markdown, format, against, mistakes, save }: Form,
  terminal: Terminal,
): Promise<void> {
  const name = toRunId(run);
  const found = await reportJson(run).read(store);
  if (!found)
    throw new Refusal(
      `${name} has no report: it still runs or does not exist${await meantRuns(store, name)}`,
    );
  if (csv) await writeRowsAsCsv(store, run, process.stdout);
  else if (json) terminal.print(JSON.stringify(found));
  else if (markdown) terminal.print(reportMarkdown(found).trimEnd());
  else if (format !== undefined) {
    const other = against === undefined ? undefined : toRun(await requireRun(store, against));
    terminal.print((await commentText(store, run, found, other)).trimEnd());
  } else if (mistakes !== undefined) for (const line of mistakeLines(found, mistakes)) terminal.print(line);
  else if (save !== undefined) terminal.print(await saveReport(store, run, path.resolve(save)));
  else {
    for (const line of summaryLines(found, terminal)) terminal.print(line);
    terminal.print(placeOf(store, run));
  }
}

function placeOf({ bucket }: ObjectStore, run: RunParts): string {
  return `Report: s3://${bucket}/${bucketLayout.reportHtml(run)} (inferdrop report ${quoted(toRunId(run))} --save DIR)`;
}

/** The report as a comment: compared with another run, or with `report.baseline`. */
async function commentText(
  store: ObjectStore,
  run: RunParts,
  report: Report,
  against: RunParts | undefined,
): Promise<string> {
  const now = new Date();
  if (against !== undefined) {
    const { comparison, other } = await compareRuns(store, run, against);
    return githubMarkdown({ ...report, comparison }, other, now);
  }
  const baseline = report.comparison === null ? undefined : toRun(report.comparison.baseline);
  return githubMarkdown(report, baseline && (await reportJson(baseline).read(store)), now);
}

/** Prints the report of a training in the requested form. */
async function printTraining(
  store: ObjectStore,
  run: RunParts,
  { csv, json, markdown, format, mistakes, save }: Form,
  terminal: Terminal,
): Promise<void> {
  const name = toRunId(run);
  if (csv || mistakes !== undefined)
    throw new UsageError(
      `${name} is a training, which has no rows: leave out ${csv ? '--csv' : '--mistakes'}`,
    );
  if (format !== undefined) throw new UsageError(`${name} is a training: take --markdown`);
  const found = await trainingReportJson(run).read(store);
  if (found === undefined)
    throw new Refusal(
      `${name} has no report: it is under way or does not exist${await meantRuns(store, name)}`,
    );
  if (json) terminal.print(JSON.stringify(found));
  else if (markdown) terminal.print(trainingMarkdown(found).trimEnd());
  else if (save !== undefined) terminal.print(await saveReport(store, run, path.resolve(save)));
  else {
    for (const line of trainingLines(found, laptopInUse() === undefined)) terminal.print(visible(line));
    terminal.print(placeOf(store, run));
  }
}
