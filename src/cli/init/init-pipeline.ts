import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isolationProblems } from '../../frameworks/archives.ts';
import { newestContainer, newestPatched } from '../../frameworks/end-of-patch.ts';
import { FRAMEWORKS } from '../../frameworks/frameworks.ts';
import { type Choice, choice, toDocument } from '../../init/choice.ts';
import type { InitLine } from '../../init/init-lines.ts';
import { onnxFacts } from '../../init/onnx-facts.ts';
import { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { toJsonSchema } from '../../plan/published-schemas.ts';
import { makeFolder } from '../files/make-folder.ts';
import { enterModel, served, withScratch } from '../model/enter-model.ts';
import type { Terminal } from '../show/terminal.ts';
import { chooseLabels } from './choose-labels.ts';
import { chooseRequests } from './choose-requests.ts';
import { readClassNames } from './class-names.ts';
import { readFolderInputs } from './folder-inputs.ts';
import { isThere } from './is-there.ts';
import { cellsOf, type InitOptions, type Known, type PreparedModel } from './known.ts';
import type { ChosenRequests } from './onnx-requests.ts';
import type { Decide } from './question.ts';
import { seenLines } from './seen-lines.ts';
import { readServedModel } from './served-model.ts';
import { columnChoices } from './truth-of-columns.ts';
import { withDecoder } from './with-decoder.ts';

/**
 * Makes the folder of a pipeline of a model and a sample of files: model.tar.gz, pipeline.json with its schema, and a handler if the
 * container needs one. Each field is chosen for a reason, which is shown; anything that neither model nor files tell becomes a question.
 *
 * @returns the fields that were chosen, after what the model and the folder are
 * @throws {Refusal} for a model that is not served, files that do not fit it, or a question without an answer
 */
export async function initPipeline(
  options: InitOptions,
  decide: Decide,
  terminal: Terminal,
): Promise<{ readonly choices: readonly Choice[]; readonly seen: readonly InitLine[] }> {
  const { output } = options;
  return withScratch(async (scratch) => {
    const named = options.classes === undefined ? [] : await readClassNames(options.classes);
    const found = options.folder === undefined ? undefined : await readFolderInputs(options.folder, named);
    const model = await prepareModel({ options, inputs: found, decide, terminal }, scratch);
    // A handler may take JSON as it is.
    const isSent = found?.table?.isJson === true && cellsOf(model) === undefined;
    const inputs = isSent ? { ...found, table: undefined } : found;
    const known = { options, model, inputs, decide, terminal };
    const requests = await chooseRequests(known);
    const chosen = await chooseLabels(known, requests.measurable);
    const labels = [...chosen, ...titledColumns(known, chosen)];
    const isOpened = labels.some(isOfColumns);
    const choices = [
      choice('$schema', './pipeline.schema.json', 'editors complete and check the file by it'),
      ...frameworkChoices(
        model,
        await installsPackages(options.code ?? path.join(scratch, 'archive', 'code')),
        options.now,
      ),
      ...requests.choices.filter(({ field }) => !isOpened || field !== 'transform.splitType'),
      ...labels,
    ];
    await makeFolder(output);
    await model.pack(path.join(output, 'model.tar.gz'), await handlerFolder(options, requests.handler));
    await writeFile(
      path.join(output, 'pipeline.schema.json'),
      `${JSON.stringify(toJsonSchema(PipelineConfig, 'inferdrop pipeline.json', 'input'), null, 2)}\n`,
    );
    await writeFile(path.join(output, 'pipeline.json'), `${JSON.stringify(toDocument(choices), null, 2)}\n`);
    return { choices, seen: seenLines(known) };
  });
}

function isOfColumns({ field }: Choice): boolean {
  return field.startsWith('columns.');
}

/** The columns of tables with titles if their labels lie elsewhere: a row of titles is no record. */
function titledColumns({ options, model, inputs }: Known, chosen: readonly Choice[]): readonly Choice[] {
  const { titles, rows = [] } = inputs?.table ?? {};
  if (titles === undefined || chosen.some(isOfColumns)) return [];
  const cells = cellsOf(model) ?? titles.length;
  return columnChoices(options.folder ?? '', { titles, rows }, undefined, cells, model.onnx?.columns).choices;
}

async function prepareModel(known: Omit<Known, 'model'>, scratch: string): Promise<PreparedModel> {
  const { options, inputs, decide } = known;
  const { model: place, code, python } = options;
  const asked = {
    path: python,
    decide,
    ...(inputs?.table && { sample: inputs.table }),
    ...(inputs?.imageType !== undefined && { files: inputs.files.map(({ file }) => path.resolve(file)) }),
  };
  const given = await enterModel({ model: place, code, python: asked }, scratch);
  const entered = (await given.exported?.()) ?? given;
  const { savedModel, onnx, converted, exporting } = entered;
  if (onnx !== undefined) {
    const facts = onnxFacts(onnx.model);
    const { columns = facts.columns, classes = facts.names, library } = converted ?? {};
    return {
      ...entered,
      writtenBy: library ?? onnx.model.producer,
      served: undefined,
      onnx: { ...facts, columns, names: classes, file: onnx.file },
    };
  }
  const own = savedModel === undefined ? undefined : readServedModel(savedModel, place);
  if (own === undefined) return { ...entered, writtenBy: '', served: undefined, onnx: undefined };
  const needsDecoder =
    own.requests.kind === 'pixels' &&
    inputs?.imageType !== undefined &&
    code === undefined &&
    !entered.isPacked;
  const model = needsDecoder
    ? await withDecoder(own, known, {
        scratch,
        python: exporting?.python ?? python,
        scaling: exporting?.scaling,
      })
    : own;
  return {
    ...(needsDecoder ? await served('tensorflow', model.folder, code, exporting?.kept) : entered),
    writtenBy: writtenByTensorflow(model),
    served: model,
    onnx: undefined,
  };
}

function writtenByTensorflow({ tensorflowVersion }: { readonly tensorflowVersion: string }): string {
  return tensorflowVersion === '' ? '' : `TensorFlow ${tensorflowVersion}`;
}

function frameworkChoices(
  { framework, writtenBy }: PreparedModel,
  hasPackages: boolean,
  now: Date,
): Choice[] {
  const { installs } = FRAMEWORKS[framework];
  const by = writtenBy === '' ? '' : `; the model was written by ${writtenBy}`;
  return [
    { field: 'model.framework', value: framework, reason: 'what the model is' },
    choice(
      'model.frameworkVersion',
      newestPatched(framework).version,
      `${newestContainer(framework, now)}${by}`,
    ),
    ...(installs !== null || hasPackages
      ? [
          choice(
            'model.networkIsolation',
            false,
            `pip installs ${installs ?? 'the packages of code/requirements.txt'} in the container of AWS; wheels in ` +
              'the archive do without (docs/your-model.md)',
          ),
        ]
      : []),
  ];
}

/** Whether the container installs packages for the handler of a folder from the network. */
async function installsPackages(code: string): Promise<boolean> {
  if (!(await isThere(code))) return false;
  const files = await readdir(code, { recursive: true });
  return isolationProblems(files.map((file) => `code/${file.split(path.sep).join('/')}`)).length > 0;
}

/** The folder of the handler: the person's, or one that is written next to pipeline.json. */
async function handlerFolder(
  { code, output }: InitOptions,
  handler: ChosenRequests['handler'],
): Promise<string | undefined> {
  if (code !== undefined || handler === undefined) return code;
  const folder = path.join(output, 'code');
  await mkdir(folder, { recursive: true });
  for (const [name, body] of Object.entries(handler)) await writeFile(path.join(folder, name), body);
  return folder;
}
