import path from 'node:path';
import { choiceLine } from '../../init/init-lines.ts';
import { problemLine } from '../../problem/problem.ts';
import { pipelineNameProblem } from '../../run/run-id.ts';
import { quoted } from '../../text/shell-quoted.ts';
import { defineCommand, flag, JSON_FORM, STAGE, valued } from '../define-command.ts';
import { isShare } from '../init/choose-labels.ts';
import { initPipeline } from '../init/init-pipeline.ts';
import { makeInto } from '../init/output-folder.ts';
import { decider } from '../init/question.ts';
import { readPipelineFolder } from '../put-pipeline.ts';
import { styledLine, visible } from '../show/terminal.ts';
import { UsageError } from '../usage-error.ts';
import { command as put } from './pipeline-put.ts';

/** `inferdrop init`: a pipeline's folder of a model and a sample of files. */
export const command = defineCommand({
  needs: 'onnxruntime',
  about:
    'Makes the folder of a pipeline of a model and a sample of files: model.tar.gz, a handler where one is needed, ' +
    "and pipeline.json with a reason for each field. What neither tells is asked for, or shown by the model's answers " +
    'to labeled files.',
  examples: [
    'inferdrop init saved_model photos',
    'inferdrop init model.keras photos --yes --put',
    'inferdrop init model.tar.gz rows --classes no,yes',
  ],
  page: 'docs/your-model.md',
  options: {
    name: valued('NAME', "name of the pipeline, if not the model's"),
    output: { type: 'string', short: 'o', value: 'DIR', text: 'folder to make, if not one of that name' },
    force: flag('replace a pipeline in that folder'),
    classes: valued('NAMES|FILE', 'class names in the order of the outputs'),
    truth: valued('WHERE', "folder, none, labels.csv, '$[0]' or a pattern of the name"),
    label: valued('TITLE', 'column of tables that holds the class'),
    size: valued('HxW', 'height and width that images are scaled to'),
    code: valued('DIR', 'folder that holds inference.py'),
    python: valued('PATH', 'Python that made the model, and may run it'),
    'content-type': valued('TYPE', 'content type of the requests'),
    background: flag('output 0 is a background class without a name'),
    'min-accuracy': valued('SHARE', 'accuracy below which a run does not pass'),
    'min-recall': valued('SHARE', 'recall of each class below which a run does not pass'),
    deploy: flag('serve the model of a run that passes; in AWS an endpoint costs by the hour'),
    put: flag('upload it, as pipeline put does'),
    yes: flag('ask nothing; take what is certain'),
    ...JSON_FORM,
    ...STAGE,
  },
  operand: 'MODEL [FOLDER]',
  async run({ options, operands }, terminal) {
    const [model = '', folder] = operands;
    const name = options.name ?? nameOf(model);
    const wrong = pipelineNameProblem(name);
    if (wrong !== undefined)
      throw new UsageError(
        options.name === undefined ? `the model's name ${wrong}: give --name` : `--name ${wrong}`,
      );
    if (options.label !== undefined && options.truth !== undefined)
      throw new UsageError('--label names the column of the truth, as --truth does: leave one of them out');
    const output = options.output ?? name;
    const { choices, seen, problems } = await makeInto(output, options.force, async (made) => {
      const found = await initPipeline(
        {
          ...options,
          model,
          folder,
          output: made,
          contentType: options['content-type'],
          minAccuracy: toShare('min-accuracy', options['min-accuracy']),
          minRecall: toShare('min-recall', options['min-recall']),
          now: new Date(),
        },
        decider(terminal, options.yes),
        terminal,
      );
      return { ...found, problems: (await readPipelineFolder(made)).problems };
    });
    for (const { name: field, value, reason } of [...seen, ...choices.map(choiceLine)])
      terminal.note(
        styledLine({ text: `${field.padEnd(24)} ${value}  ` }, { text: reason, style: terminal.color.dim }),
      );
    for (const problem of problems) terminal.note(visible(problemLine(problem)));
    if (problems.length > 0) return 1;
    if (options.put) {
      const code = await put.call(
        'pipeline put',
        [output, '--name', name, '--stage', options.stage],
        terminal,
      );
      if (code !== 0) return code;
    }
    const next = [
      ...(options.put ? [] : [`inferdrop pipeline put ${quoted(output)} --name ${name}`]),
      `inferdrop drop ${folder === undefined ? 'FOLDER' : quoted(folder)} --pipeline ${name} --wait`,
    ];
    terminal.print(
      options.json
        ? JSON.stringify({ pipeline: name, folder: output, choices, next })
        : `${output}/pipeline.json is complete. Next:\n${next.map((line) => `  ${line}`).join('\n')}`,
    );
    return 0;
  },
});

function toShare(option: string, text: string | undefined): number | undefined {
  if (text === undefined || isShare(text)) return text === undefined ? undefined : Number(text);
  throw new UsageError(`--${option} must be a share above 0 and at most 1, such as 0.9, is ${text}`);
}

/** The name of a model's file or folder without its endings, in the letters of a pipeline's name. */
function nameOf(model: string): string {
  const base = path.basename(path.resolve(model)).replace(/(\.tar)?\.[a-z0-9]+$/i, '');
  return base
    .toLowerCase()
    .split(/[^a-z0-9._-]+/)
    .filter((part) => part !== '')
    .join('-');
}
