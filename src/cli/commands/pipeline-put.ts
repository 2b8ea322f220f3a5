import path from 'node:path';
import { problemLine } from '../../problem/problem.ts';
import { plural } from '../../report/figures.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { pipelineNameProblem } from '../../run/run-id.ts';
import { connect } from '../application.ts';
import { defineCommand, JSON_FORM, STAGE } from '../define-command.ts';
import { instanceProblems, putPipeline, readPipelineFolder } from '../put-pipeline.ts';
import { toSize } from '../size.ts';
import { visible } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

/** `inferdrop pipeline put`: makes a folder's files a pipeline. */
export const command = defineCommand({
  usage: `inferdrop pipeline put FOLDER [--name NAME] [--json]
    Uploads pipeline.json, model.tar.gz and the source of a training from a folder, which names the pipeline; nothing if one of them
    is wrong. Ends with 0, or with 1 and every mistake.`,
  options: { name: { type: 'string' }, ...JSON_FORM, ...STAGE },
  operand: 'FOLDER',
  async run({ options, operand: folder }, terminal) {
    const name = options.name ?? path.basename(path.resolve(folder));
    const wrong = pipelineNameProblem(name);
    if (wrong !== undefined)
      throw new UsageError(
        options.name === undefined ? `the folder's name ${wrong}: give --name` : `--name ${wrong}`,
      );
    const found = await readPipelineFolder(folder);
    for (const problem of found.problems) terminal.note(visible(problemLine(problem)));
    if (found.problems.length > 0) return 1;
    const application = await connect(options.stage);
    const region = process.env.AWS_REGION;
    // Where only a profile names the region, the plan of the first run judges it.
    const further =
      found.config === undefined || region === undefined
        ? []
        : await instanceProblems(application.store, found.config, region);
    for (const problem of further) terminal.note(visible(problemLine(problem)));
    if (further.length > 0) return 1;
    await putPipeline(application, name, found);
    const place = `s3://${application.bucket}/${bucketLayout.pipelineFile(name, '')}`;
    const files = found.files.map(({ relative }) => relative);
    const bytes = found.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    terminal.print(
      options.json
        ? JSON.stringify({ pipeline: name, place, files })
        : `${plural(files.length, 'file')}, ${toSize(bytes)}, to ${place}; its runs: inferdrop drop FOLDER --pipeline ${name}`,
    );
    return 0;
  },
});
