import path from 'node:path';
import { bucketLayout } from '../../drop/bucket-layout.ts';
import { reportMarkdown } from '../../report/report-markdown.ts';
import { connect } from '../application.ts';
import type { Command } from '../command.ts';
import { readReport, toRun } from '../run-result.ts';
import { saveReport } from '../save-report.ts';
import { summaryLines } from '../summary-lines.ts';
import { UsageError } from '../usage-error.ts';
import { writeRowsAsCsv } from '../write-rows-as-csv.ts';

/** `inferdrop report`: a run's result as text, JSON, Markdown, CSV rows or files. */
export function report(options: {
  readonly stage: string;
  readonly run: string;
  readonly csv: boolean;
  readonly json: boolean;
  readonly markdown: boolean;
  readonly save: string | undefined;
}): Command {
  return async (terminal) => {
    const run = toRun(options.run);
    const { store, bucket } = await connect(options.stage);
    const found = await readReport(store, run);
    if (!found)
      throw new UsageError(
        `${options.run} has no report: it still runs, or there is no such run (inferdrop runs)`,
      );
    if (options.csv) await writeRowsAsCsv(store, run, process.stdout);
    else if (options.json) terminal.print(JSON.stringify(found));
    else if (options.markdown) terminal.print(reportMarkdown(found).trimEnd());
    else if (options.save !== undefined)
      terminal.print(await saveReport(store, run, path.resolve(options.save)));
    else {
      for (const line of summaryLines(found, terminal)) terminal.print(line);
      terminal.print(
        `Report: s3://${bucket}/${bucketLayout.reportHtml(run)} (inferdrop report ${options.run} --save DIR)`,
      );
    }
    return 0;
  };
}
