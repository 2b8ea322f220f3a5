import path from 'node:path';
import { bucketLayout } from '../../drop/bucket-layout.ts';
import { isPipelineName } from '../../drop/run-id.ts';
import { connect } from '../application.ts';
import { checkOnLaptop } from '../check-on-laptop.ts';
import type { Command } from '../command.ts';
import { dropFolder } from '../drop-folder.ts';
import { finishRun } from '../finish-run.ts';
import { UsageError } from '../usage-error.ts';

/** `inferdrop drop`: a folder becomes a drop. */
export function drop(options: {
  readonly stage: string;
  readonly folder: string;
  readonly pipeline: string;
  readonly dropName: string | undefined;
  readonly wait: boolean;
  readonly json: boolean;
}): Command {
  return async (terminal) => {
    const { pipeline, folder, wait, json } = options;
    if (!isPipelineName(pipeline)) {
      throw new UsageError(
        `--pipeline must be lower-case letters, digits, dots, dashes and underscores, is ${pipeline}`,
      );
    }
    const name = options.dropName ?? path.basename(path.resolve(folder));
    if (name.includes('/') || name === '')
      throw new UsageError(`--name must be one key part without /, is ${name}`);
    const application = await connect(options.stage);
    if ((await application.store.describe(bucketLayout.pipelineConfig(pipeline))) === undefined) {
      throw new UsageError(
        `there is no pipeline ${pipeline}: upload s3://${application.bucket}/${bucketLayout.pipelineConfig(pipeline)} first`,
      );
    }
    await checkOnLaptop(application, pipeline);
    const started = performance.now();
    const run = await dropFolder(application, { folder, pipeline, drop: name }, terminal);
    if (!wait) {
      if (json) terminal.print(JSON.stringify({ run }));
      else
        terminal.print(
          `${run} starts when its files have settled; when it has ended: inferdrop report ${run}`,
        );
      return 0;
    }
    return finishRun(application, run, terminal, { json, startedAt: started });
  };
}
