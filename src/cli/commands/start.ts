import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Stack } from '@inferdrop/laptop';
import { exampleFolder } from '#example-folder';
import { messageJson } from '../../app/records/run.ts';
import { causeText, failureText } from '../../problem/cause-text.ts';
import type { Report } from '../../report/report.ts';
import { toExecutionName } from '../../run/execution-name.ts';
import { type Application, connect } from '../application.ts';
import { consoleOfStack } from '../console/console-of-stack.ts';
import { defineCommand, flag, JSON_FORM, RUN_EXIT_CODES } from '../define-command.ts';
import { predictFile } from '../files/predict-files.ts';
import { saveReport } from '../files/save-report.ts';
import {
  type ComparedEngines,
  engineFigures,
  engineLines,
  IMAGES,
  PIPELINE,
  runByLambda,
  runExample,
} from '../laptop/example-run.ts';
import { bringUp, exportLines, ownExportLines, untilInterrupted } from '../laptop/laptop-stack.ts';
import { MACHINE_OPTIONS, toMachine } from '../laptop/machine-options.ts';
import { ALIAS_LINE } from '../laptop/shell-alias.ts';
import { trainExample } from '../laptop/train-example.ts';
import { chooseTrainingExample } from '../laptop/training-examples.ts';
import { readPipelineFolder } from '../put-pipeline.ts';
import { toResult } from '../runs/finish-run.ts';
import { EXIT, toRun } from '../runs/run-result.ts';
import { awaitEndpointChange } from '../show/follow-endpoint.ts';
import { summaryLines } from '../show/summary-lines.ts';
import { toTable } from '../show/table.ts';
import type { Terminal } from '../show/terminal.ts';
import { UsageError } from '../usage-error.ts';
import { PREDICTION_COLUMNS, type PredictionLine } from './predict.ts';

/** `npm start`: the stack on this machine and the example run on it. */
export const command = defineCommand({
  needs: 'onnxruntime',
  about: 'Brings AWS up on this machine, runs the example on it, and stays up until Ctrl-C.',
  exitCodes: RUN_EXIT_CODES,
  examples: ['inferdrop start', 'inferdrop start --once --json', 'inferdrop start --train pytorch'],
  page: 'docs/start.md',
  options: {
    train: flag(
      'run the example that trains its model, with FRAMEWORK (tensorflow, pytorch or horovod) or the one that is installed',
    ),
    once: flag('end after the example'),
    ...JSON_FORM,
    ...MACHINE_OPTIONS,
  },
  operand: '[FRAMEWORK]',
  async run({ options, operand }, terminal) {
    const { color } = terminal;
    if (operand !== '' && !options.train) throw new UsageError(`start takes ${operand} only with --train`);
    const machine = toMachine(options);
    // A missing Python is reported before the stack is up, not by its first job.
    const training = options.train
      ? chooseTrainingExample(operand === '' ? undefined : operand, machine.trainingPythons)
      : undefined;
    terminal.note(color.bold('Bringing AWS up on this machine'));
    const pages = consoleOfStack();
    const stack = await bringUp({ ...machine, homePage: pages.homePage }, terminal);
    try {
      const application = await connect(options.stage);
      if (!options.once && !options.json) {
        terminal.note('  Ready: other terminals in this folder can use it from now on, with');
        for (const line of [...ownExportLines(stack, options.data), ALIAS_LINE]) terminal.note(`    ${line}`);
        await pages.open(options.stage, stack.endpoint, terminal);
      }
      if (training !== undefined) {
        const saveBelow = options.once ? path.join(path.resolve(options.data), 'reports') : undefined;
        const trained = await trainExample(application, training, terminal, options.json, saveBelow);
        if (!options.once) await untilInterrupted(terminal);
        return trained;
      }
      const startedAt = performance.now();
      terminal.note(color.bold('\nDropping 1,000 Fashion-MNIST images'));
      const example = await readPipelineFolder(await exampleFolder());
      const first = await runExample(application, example, terminal);
      const { run, report, code } = first;
      const folder = path.join(path.resolve(options.data), 'reports', run);
      const file = await saveReport(application.store, toRun(run), folder);
      const result = toResult(report, file, startedAt);
      if (!options.json) {
        for (const line of summaryLines(report, terminal)) terminal.print(line);
        terminal.print(`Report: ${pathToFileURL(file).href}`);
        await printMessage(application, run, terminal);
      }
      const served = await serveRun(application, run, report, terminal);
      if (served && !options.json) await predictOneOfEach(application, terminal);
      const compared = first.success ? await runByLambda(application, example, first, terminal) : undefined;
      if (compared !== undefined && !options.json) printEngines(compared, terminal);
      if (!options.once) {
        if (!options.json) printNextSteps(stack, application, options.data, terminal);
        await untilInterrupted(terminal);
        terminal.note('Stopping…');
      }
      if (options.json)
        terminal.print(JSON.stringify({ ...result, ...(compared && engineFigures(compared)) }));
      const hasFailed = served === false || compared?.sameClass === null;
      return code === EXIT.success && hasFailed ? EXIT.failure : code;
    } finally {
      await pages.close();
      await stack.close();
    }
  },
});

/** Follows the deployment that the run has started; undefined if there is none. */
async function serveRun(
  application: Application,
  run: string,
  { gate }: Report,
  terminal: Terminal,
): Promise<boolean | undefined> {
  if (gate.verdict !== 'passed') return undefined;
  terminal.note(terminal.color.bold('\nThe gate has passed: deploying an endpoint'));
  // A deployment has the name of the run's execution.
  const arn = application.endpointChanges.arnOf(toExecutionName(toRun(run)));
  const { status, error = status, cause = '' } = await awaitEndpointChange(application, arn, terminal);
  if (status !== 'SUCCEEDED')
    terminal.note(
      `The endpoint was not deployed: ${failureText({ error, cause: causeText({ error, cause }) })}`,
    );
  return status === 'SUCCEEDED';
}

/** Sends one image of each class through the prediction API. */
async function predictOneOfEach(application: Application, terminal: Terminal): Promise<void> {
  const first = new Map<string, string>();
  for (const name of (await readdir(IMAGES)).sort()) {
    const label = /^[^_]*_(.+)\.png$/.exec(name)?.[1];
    if (label !== undefined && !first.has(label)) first.set(label, name);
  }
  const lines: PredictionLine[] = [];
  for (const name of first.values()) {
    const { answer } = await predictFile(application, PIPELINE, path.join(IMAGES, name));
    for (const prediction of answer.predictions)
      lines.push({ file: name, prediction, latencyMs: answer.latencyMs });
  }
  terminal.print(`\nTen images through POST ${application.apiUrl}/predict/${PIPELINE}`);
  for (const line of toTable(lines, PREDICTION_COLUMNS)) terminal.print(`  ${line}`);
}

function printEngines(compared: ComparedEngines, terminal: Terminal): void {
  terminal.print(terminal.color.bold('\nBoth engines'));
  for (const line of engineLines(compared, terminal)) terminal.print(`  ${line}`);
}

async function printMessage({ store }: Application, run: string, terminal: Terminal): Promise<void> {
  const message = await messageJson(toRun(run)).read(store);
  if (message === undefined) return;
  const { dim } = terminal.color;
  terminal.print(`\n${dim('SNS message')}`);
  for (const line of `${message.subject}\n${message.body}`.split('\n')) terminal.print(dim(`  │ ${line}`));
}

function printNextSteps(
  stack: Stack,
  { bucket, apiUrl }: Application,
  dataDir: string,
  terminal: Terminal,
): void {
  const { bold } = terminal.color;
  terminal.print(`
${bold('Now your own files')} (in another terminal)
${exportLines(stack)
  .map((line) => `  ${line}`)
  .join('\n')}
  ${ALIAS_LINE}
  inferdrop drop FOLDER --pipeline ${PIPELINE} --wait
  inferdrop init MODEL FOLDER --put   # a pipeline of your own model and some of its files
  aws s3 cp --recursive FOLDER s3://${bucket}/incoming/${PIPELINE}/my-drop/
  inferdrop predict IMAGE.png --pipeline ${PIPELINE}
  curl --aws-sigv4 aws:amz:us-east-1:execute-api --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" -H 'content-type: image/png' \\
    --data-binary @IMAGE.png ${apiUrl}/predict/${PIPELINE}

E-mail is written to ${path.join(dataDir, 'outbox')}; the stack answers at ${stack.endpoint} until Ctrl-C.`);
}
