import path from 'node:path';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { pipelineNameProblem } from '../../run/run-id.ts';
import { connect } from '../application.ts';
import { checkOnLaptop } from '../check-on-laptop.ts';
import { defineCommand, JSON_FORM, STAGE, WAIT } from '../define-command.ts';
import { dropFolder } from '../drop-folder.ts';
import { finishRun } from '../finish-run.ts';
import { laterRun } from '../later-run.ts';
import { UsageError } from '../usage-error.ts';

/** `inferdrop drop`: uploads a folder as a drop. */
export const command = defineCommand({
  usage: `inferdrop drop FOLDER --pipeline NAME [--name DROP] [--wait] [--json]
    Uploads a folder as one drop; --wait shows the run and ends with its result, a link to its report and an exit code:
    0 predicted and the gate, if there is one, passed; 3 predicted and the gate failed; 1 failed or refused; 2 wrong command
    line. "rerun --wait" and "start --once" end with the same codes.`,
  options: {
    pipeline: { type: 'string' },
    name: { type: 'string' },
    ...WAIT,
    ...JSON_FORM,
    ...STAGE,
  },
  operand: 'FOLDER',
  async run({ options, operand: folder }, terminal) {
    const { pipeline, wait, json } = options;
    if (pipeline === undefined) throw new UsageError('drop needs --pipeline NAME');
    const wrong = pipelineNameProblem(pipeline);
    if (wrong !== undefined) throw new UsageError(`--pipeline ${wrong}`);
    const name = options.name ?? path.basename(path.resolve(folder));
    if (name.includes('/') || name === '')
      throw new UsageError(`--name must be one key part without /, is ${name}`);
    const application = await connect(options.stage);
    if ((await application.store.describe(bucketLayout.pipelineConfig(pipeline))) === undefined) {
      throw new UsageError(
        `pipeline ${pipeline} does not exist: inferdrop pipeline put FOLDER --name ${pipeline} uploads it`,
      );
    }
    await checkOnLaptop(application, pipeline);
    const started = performance.now();
    const run = await dropFolder(application, { folder, pipeline, drop: name }, terminal);
    if (!wait) {
      if (json) terminal.print(JSON.stringify({ run }));
      else
        terminal.print(`${run} starts when its files are complete; after its end: inferdrop report ${run}`);
      return 0;
    }
    const code = await finishRun(application, run, terminal, { json, startedAt: started });
    const later = await laterRun(application.executions, run);
    if (later !== undefined) {
      terminal.note(
        `  · files that arrived after ${run} had begun are in ${later}; a longer drop.quietSeconds in pipeline.json waits for all`,
      );
    }
    return code;
  },
});
