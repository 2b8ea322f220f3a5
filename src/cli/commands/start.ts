import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { bucketLayout } from '../../drop/bucket-layout.ts';
import type { Application } from '../application.ts';
import { connect } from '../application.ts';
import type { Command } from '../command.ts';
import { dropFolder } from '../drop-folder.ts';
import { awaitRun, toResult } from '../finish-run.ts';
import type { Machine } from '../laptop-stack.ts';
import { bringUp, untilInterrupted } from '../laptop-stack.ts';
import { toRun } from '../run-result.ts';
import { saveReport } from '../save-report.ts';
import { summaryLines } from '../summary-lines.ts';
import type { Terminal } from '../terminal.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '..', '..', '..', 'examples', 'fashion-mnist');
const PIPELINE = 'fashion-mnist';

/** `npm start`: the stack on this machine and the main job on it, as a newcomer sees it. */
export function start(options: Machine & { readonly once: boolean; readonly json: boolean }): Command {
  return async (terminal) => {
    const { colour } = terminal;
    terminal.note(colour.bold('Bringing AWS up on this machine'));
    const stack = await bringUp(options, terminal);
    try {
      const application = await connect(options.stage);
      const startedAt = performance.now();
      terminal.note(colour.bold('\nDropping 1,000 Fashion-MNIST images'));
      await uploadPipeline(application);
      const run = await dropFolder(
        application,
        { folder: path.join(EXAMPLE, 'images'), pipeline: PIPELINE, drop: 'example' },
        terminal,
      );
      const { report, success } = await awaitRun(application, run, terminal);
      const folder = path.join(path.resolve(options.dataDir), 'reports', run);
      const file = await saveReport(application.store, toRun(run), folder);
      if (!options.json) {
        for (const line of summaryLines(report, terminal)) terminal.print(line);
        terminal.print(`Report: ${pathToFileURL(file).href}`);
        await printMessage(application, run, terminal);
      }
      if (!options.once) {
        if (!options.json) printNextSteps(stack.endpoint, application.bucket, options.dataDir, terminal);
        await untilInterrupted();
        terminal.note('Stopping…');
      }
      if (options.json) terminal.print(JSON.stringify(toResult(report, file, startedAt)));
      return success ? 0 : 1;
    } finally {
      await stack.close();
    }
  };
}

async function uploadPipeline({ store }: Application): Promise<void> {
  for (const name of ['pipeline.json', 'model.tar.gz']) {
    await store.write(bucketLayout.pipelineFile(PIPELINE, name), await readFile(path.join(EXAMPLE, name)));
  }
}

async function printMessage({ store }: Application, run: string, terminal: Terminal): Promise<void> {
  const text = await store.readText(bucketLayout.message(toRun(run)));
  if (text === undefined) return;
  const message: unknown = JSON.parse(text);
  if (typeof message !== 'object' || message === null) return;
  const { dim } = terminal.colour;
  terminal.print(`\n${dim('SNS message')}`);
  for (const part of [Reflect.get(message, 'subject'), Reflect.get(message, 'body')]) {
    if (typeof part === 'string') for (const line of part.split('\n')) terminal.print(dim(`  │ ${line}`));
  }
}

function printNextSteps(endpoint: string, bucket: string, dataDir: string, terminal: Terminal): void {
  const { bold } = terminal.colour;
  terminal.print(`
${bold('Now your own files')} (in another terminal)
  export AWS_ENDPOINT_URL=${endpoint}
  npx inferdrop drop FOLDER --pipeline ${PIPELINE} --wait
  AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test AWS_REGION=us-east-1 \\
    aws s3 cp --recursive FOLDER s3://${bucket}/incoming/${PIPELINE}/my-drop/

E-mail lies in ${path.join(dataDir, 'outbox')}; the stack answers at ${endpoint} until Ctrl-C.`);
}
