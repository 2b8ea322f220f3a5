import { stat } from 'node:fs/promises';
import path from 'node:path';
import { findOpenGeneration } from '../../app/run/list-drop-state.ts';
import {
  type Hyperparameters,
  newestTrainingData,
  requestName,
  requestTraining,
} from '../../app/run/request-training.ts';
import { parsePipelineConfig } from '../../pipeline/parse-config.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { isPipelineName, toRunId } from '../../run/run-id.ts';
import { quoted } from '../../text/shell-quoted.ts';
import { hyperparameterProblems } from '../../training/hyperparameters.ts';
import { connect } from '../application.ts';
import { defineCommand, JSON_FORM, STAGE, valued, WAIT } from '../define-command.ts';
import { dropFolder } from '../files/drop-folder.ts';
import { requireKnownPipeline } from '../known-pipeline.ts';
import { Refusal } from '../refusal.ts';
import { requireDropName } from '../require-drop-name.ts';
import { finishRun } from '../runs/finish-run.ts';
import { UsageError } from '../usage-error.ts';

/** `inferdrop train`: trains a pipeline's model. */
export const command = defineCommand({
  about: "Trains a pipeline's model as training in its pipeline.json says.",
  exitCodes: {
    0: 'trained and not worse',
    3: 'trained, and the gate did not pass, or the model was not promoted automatically as after.promote asks',
  },
  examples: [
    'inferdrop train cats --data ./cats-train --wait',
    'inferdrop train cats --hyperparameter epochs=20',
  ],
  page: 'docs/training.md',
  options: {
    data: valued(
      'FOLDER|URI',
      'a folder of this machine or s3://bucket/prefix/; without it the data of the newest training',
    ),
    name: valued('DROP', "another name than the folder's"),
    hyperparameter: {
      type: 'string',
      multiple: true,
      default: [],
      value: 'NAME=VALUE',
      text: 'replaces the one of pipeline.json',
    },
    ...WAIT,
    ...JSON_FORM,
    ...STAGE,
  },
  operand: 'PIPELINE',
  async run({ options, operand: pipeline }, terminal) {
    const { wait, json } = options;
    if (!isPipelineName(pipeline))
      throw new UsageError(
        `PIPELINE must be lower-case letters, digits, dots, dashes and underscores, is ${pipeline}`,
      );
    const hyperparameters = toHyperparameters(options.hyperparameter);
    const [wrong] = hyperparameterProblems({ file: 'job.json', field: '', values: hyperparameters });
    if (wrong !== undefined)
      throw new UsageError(
        `--hyperparameter ${wrong.field.slice(1)}=${String(wrong.value)} ${wrong.message}`,
      );
    const folder = options.data === undefined || options.data.startsWith('s3://') ? undefined : options.data;
    if (folder !== undefined && !(await isFolder(folder)))
      throw new Refusal(`--data must be a folder or s3://bucket/prefix/, is ${folder}`);
    const name = options.name ?? (folder && path.basename(path.resolve(folder))) ?? requestName(new Date());
    requireDropName(name);
    const application = await connect(options.stage);
    const { store, bucket } = application;
    const key = bucketLayout.pipelineConfig(pipeline);
    await requireKnownPipeline(store, pipeline);
    const parsed = parsePipelineConfig((await store.readText(key)) ?? '');
    if ('value' in parsed && parsed.value !== undefined && parsed.value.training === null)
      throw new Refusal(`s3://${bucket}/${key} has no training: add it, or name another pipeline`);
    const data =
      folder === undefined ? (options.data ?? (await newestTrainingData(store, pipeline))) : undefined;
    if (folder === undefined && data === undefined)
      throw new Refusal(
        `${pipeline} has not been trained yet: name the data with --data FOLDER or --data s3://bucket/prefix/`,
      );
    const drop = { kind: 'training', pipeline, drop: name } as const;
    const startedAt = performance.now();
    if (folder !== undefined) await dropFolder(application, { ...drop, folder }, terminal);
    const training = { ...drop, generation: await findOpenGeneration(store, drop) };
    await requestTraining(store, training, { data, hyperparameters });
    const run = toRunId(training);
    if (wait) return finishRun(application, run, terminal, { json, startedAt });
    terminal.print(
      json ? JSON.stringify({ run }) : `${run} starts; after its end: inferdrop report ${quoted(run)}`,
    );
    return 0;
  },
});

/** `NAME=VALUE`. A value that is a JSON number or boolean becomes one. */
function toHyperparameters(given: readonly string[]): Hyperparameters {
  return Object.fromEntries(
    given.map((text) => {
      const [name = '', ...rest] = text.split('=');
      if (name === '' || rest.length === 0)
        throw new UsageError(`--hyperparameter must be NAME=VALUE, as in epochs=3, is ${text}`);
      return [name, toValue(rest.join('='))];
    }),
  );
}

function toValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : text;
}

async function isFolder(folder: string): Promise<boolean> {
  return stat(folder).then(
    (info) => info.isDirectory(),
    () => false,
  );
}
