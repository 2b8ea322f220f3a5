import path from 'node:path';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { evaluationDrop, evaluationOf, pipelineNameProblem } from '../../run/run-id.ts';
import { plural } from '../../text/figures.ts';
import { quoted } from '../../text/shell-quoted.ts';
import { connect } from '../application.ts';
import {
  defineCommand,
  flag,
  JSON_FORM,
  required,
  RUN_EXIT_CODES,
  STAGE,
  valued,
  WAIT,
} from '../define-command.ts';
import { dropFolder } from '../files/drop-folder.ts';
import { toSample } from '../files/job-with-sample.ts';
import { requireKnownPipeline } from '../known-pipeline.ts';
import { checkOnLaptop } from '../laptop/check-on-laptop.ts';
import { requireDropName } from '../require-drop-name.ts';
import { finishRun } from '../runs/finish-run.ts';
import { laterRun } from '../runs/later-run.ts';
import { UsageError } from '../usage-error.ts';

/** `inferdrop drop`: uploads a folder as a drop. */
export const command = defineCommand({
  about: 'Uploads a folder as one drop; with --wait it shows the run, its result and a link to its report.',
  exitCodes: RUN_EXIT_CODES,
  examples: [
    'inferdrop drop images --pipeline cats --name monday --wait',
    'inferdrop drop held-out --pipeline cats --evaluation',
  ],
  page: 'docs/drops.md',
  options: {
    pipeline: required('NAME', 'the pipeline that runs it'),
    name: valued('DROP', "another name than the folder's"),
    sample: valued(
      'N',
      "predicts N inputs drawn at random; this is written into the drop's job.json, and the run says what the rest would cost",
    ),
    evaluation: flag(
      "keep the files as the pipeline's own that judge what it trains, as training.after.evaluate names them; no run starts",
    ),
    ...WAIT,
    ...JSON_FORM,
    ...STAGE,
  },
  operand: 'FOLDER',
  async run({ options, operand: folder }, terminal) {
    const { pipeline, wait, json } = options;
    const wrong = pipelineNameProblem(pipeline);
    if (wrong !== undefined) throw new UsageError(`--pipeline ${wrong}`);
    const name = options.name ?? path.basename(path.resolve(folder));
    requireDropName(name);
    if (evaluationOf(name) !== undefined)
      throw new UsageError(
        `--name must not begin with ${name.charAt(0)}, is ${name}: --evaluation uploads files that judge`,
      );
    const sample = options.sample === undefined ? undefined : toSample(options.sample);
    if (options.evaluation && sample !== undefined)
      throw new UsageError(
        '--sample must not be given with --evaluation: a model is judged by all of its files',
      );
    if (options.evaluation && wait)
      throw new UsageError('--evaluation starts no run that --wait could wait for: leave one of them out');
    const application = await connect(options.stage);
    await requireKnownPipeline(application.store, pipeline);
    if (options.evaluation) {
      await dropFolder(
        application,
        { folder, kind: 'inference', pipeline, drop: evaluationDrop(name) },
        terminal,
      );
      const place = `s3://${application.bucket}/${bucketLayout.evaluationSet(pipeline, name)}`;
      const judges = `judges what ${pipeline} trains where training.after.evaluate is ${JSON.stringify(name)}`;
      terminal.print(json ? JSON.stringify({ evaluation: name, place }) : `${place} ${judges}`);
      return 0;
    }
    await checkOnLaptop(application, pipeline);
    const started = performance.now();
    const run = await dropFolder(
      application,
      { folder, sample, kind: 'inference', pipeline, drop: name },
      terminal,
    );
    if (!wait) {
      if (json) terminal.print(JSON.stringify({ run }));
      else
        terminal.print(
          `${run} starts when its files are complete; after its end: inferdrop report ${quoted(run)}`,
        );
      return 0;
    }
    const code = await finishRun(application, run, terminal, { json, startedAt: started });
    const later = await laterRun(application, run);
    if (later !== undefined) {
      terminal.note(
        `  · ${plural(later.files, 'file')} that arrived after ${run} had begun: see ${later.run}; a longer ` +
          'drop.quietSeconds in pipeline.json waits for all',
      );
    }
    return code;
  },
});
