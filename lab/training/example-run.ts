import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { trainingReportJson } from '../../src/app/records/training-report.ts';
import { connect } from '../../src/cli/application.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { bringUp } from '../../src/cli/laptop/laptop-stack.ts';
import { trainExample } from '../../src/cli/laptop/train-example.ts';
import type { TrainingExample } from '../../src/cli/laptop/training-examples.ts';
import { toRun } from '../../src/cli/runs/run-result.ts';
import type { TrainingReport } from '../../src/report/training/training-report.ts';
import { silentTerminal } from '../../test/support/silent-terminal.ts';

export interface ExampleRun {
  readonly code: number;
  readonly report: TrainingReport;
  /** The result of the last run, which predicts the held-out images with the promoted model. */
  readonly predicted: any;
  /** Lines that a host's script has logged. */
  said(host: string): string;
}

/** An example from its data to the predictions of the promoted model, as `npm start -- --train` has it, on a stack of its own. */
export async function runExample(example: TrainingExample): Promise<ExampleRun> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'inferdrop-example-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const stack = await bringUp({ stage: 'dev', port: 0, dataDir }, silentTerminal());
  try {
    const application = await connect('dev');
    const terminal = silentTerminal();
    const code = await trainExample(application, example, terminal, true, undefined);
    const run = `training/train-fashion-mnist-${example}/example/000001`;
    const report = await trainingReportJson(toRun(run)).read(application.store);
    if (report === undefined) throw new Error(`${run} has no report: ${terminal.lines.join('\n')}`);
    const logs = silentTerminal();
    await runCommandLine(['logs', run, '--json'], logs);
    const lines = logs.lines.map((line) => JSON.parse(line) as { host: string; text: string });
    const predicted = JSON.parse(terminal.lines.at(-1) ?? '');
    const [training] = terminal.lines.filter((line) => line.startsWith('{'));
    // Figures of the documentation.
    process.stdout.write(`${example}: ${training}\n${JSON.stringify(predicted)}\n`);
    return {
      code,
      report,
      predicted,
      said: (host) =>
        lines
          .filter((line) => line.host === host)
          .map(({ text }) => text)
          .join('\n'),
    };
  } finally {
    await stack.close();
  }
}
