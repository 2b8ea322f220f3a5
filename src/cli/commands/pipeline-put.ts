import path from 'node:path';
import { problemLine } from '../../problem/problem.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { pipelineNameProblem } from '../../run/run-id.ts';
import { plural } from '../../text/figures.ts';
import { toSize } from '../../text/size.ts';
import { type Application, connect } from '../application.ts';
import { defineCommand, JSON_FORM, STAGE, valued } from '../define-command.ts';
import { judgeInBucket } from '../judge-in-bucket.ts';
import { checkBeforePut } from '../laptop/check-on-laptop.ts';
import { ARCHIVE, putPipeline, readPipelineFolder } from '../put-pipeline.ts';
import { Refusal } from '../refusal.ts';
import { visible } from '../show/terminal.ts';
import { UsageError } from '../usage-error.ts';

/** `inferdrop pipeline put`: makes a folder's files a pipeline. */
export const command = defineCommand({
  about:
    'Uploads pipeline.json, model.tar.gz, the file of the classes and the source of a training from a folder, which ' +
    'names the pipeline. Nothing is uploaded if one of them is wrong, or if the stack on this machine cannot run the ' +
    'model; every mistake is named.',
  examples: ['inferdrop pipeline put cats', 'inferdrop pipeline put . --name cats --stage prod'],
  page: 'docs/your-model.md',
  options: {
    name: valued('NAME', "another name than the folder's"),
    ...JSON_FORM,
    ...STAGE,
  },
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
    const { config } = found;
    if (config === undefined) throw new Refusal(`${folder} has no pipeline.json that can be read`);
    const application = await connect(options.stage);
    const judged = await judgeInBucket(application.store, name, { ...found, config }, regionOf(application));
    for (const problem of judged.problems) terminal.note(visible(problemLine(problem)));
    if (judged.problems.length > 0) return 1;
    for (const note of judged.notes) terminal.note(visible(`note: ${note}`));
    const archive = found.files.find(({ relative }) => relative === ARCHIVE);
    await checkBeforePut(application, name, config, archive?.file);
    await putPipeline(application, name, found, judged.numbers);
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

/** The region that the deployment is in: the third part of each of its ARNs after `arn`. */
function regionOf({ machines }: Pick<Application, 'machines'>): string {
  return machines.runs.inference.split(':')[3] ?? '';
}
