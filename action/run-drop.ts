import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline as pipe } from 'node:stream/promises';
import * as z from 'zod';
import type { PipelineConfig } from '../src/pipeline/pipeline-config.ts';
import { inert } from '../src/report/text/inert.ts';
import { pipelineNameProblem } from '../src/run/run-id.ts';
import { type BaseBranch, openBase } from './base-branch.ts';
import { commands, withoutCommands } from './command.ts';
import { differences, judgedByBase, triedBase } from './judged-by-base.ts';
import { archiveIn, CONFIG, readConfig, requestText, stagePipeline } from './pipeline-folder.ts';
import { Refused } from './refused.ts';

/** The steps of action.yml before the comment: the stack, the runs, the report. They leave files, and outputs that name them. */
const Ended = z.object({ run: z.string() });
const Judged = z.object({ setup: z.object({ modelSha256: z.string() }).nullable() });

const read = (name: string): string => process.env[name] ?? '';
const workspace = path.resolve(read('GITHUB_WORKSPACE'));
const scratch = path.join(read('RUNNER_TEMP'), 'inferdrop-action');
const reportFolder = path.join(scratch, 'report');
const isDeployed = read('LAPTOP') !== 'true';
const inferdrop = commands(read('STAGE'));

interface Drop {
  readonly pipeline: string;
  /** Folder of its inputs. */
  readonly inputs: string;
  readonly name: string;
}

interface Verdict {
  readonly code: number;
  readonly text: string;
}

const output = (name: string, value: string | number): Promise<void> =>
  appendFile(read('GITHUB_OUTPUT'), `${name}=${value}\n`);

/** Drops the inputs, and waits for the end of their run; no run if it could not begin. */
async function drop({
  pipeline,
  inputs,
  name,
}: Drop): Promise<{ readonly code: number; readonly run?: string }> {
  const asked = ['drop', inputs, '--pipeline', pipeline, '--name', name, '--wait', '--json'];
  const { code, output: said } = await inferdrop.run(...asked);
  const last = said.trim().split('\n').at(-1) ?? '';
  const ended = last.startsWith('{') ? Ended.safeParse(JSON.parse(last)) : undefined;
  return { code, ...(ended?.success && { run: ended.data.run }) };
}

async function put(folder: string, pipeline: string): Promise<boolean> {
  return (await inferdrop.run('pipeline', 'put', folder, '--name', pipeline)).code === 0;
}

const REFUSED = 'the pipeline was refused: the log of the job says why';

/** Drops, and tells the result as a comment. */
async function dropAndTell(
  asked: Drop,
  {
    against,
    notes = [],
    archive,
  }: {
    readonly against: string | undefined;
    readonly notes?: readonly string[];
    readonly archive?: string | undefined;
  },
): Promise<Verdict> {
  const { code, run } = await drop(asked);
  const before = notes.length === 0 ? '' : `${notes.join('\n')}\n\n`;
  if (run === undefined)
    return { code: code || 1, text: `${before}### ❌ no run\n\nThe log of the job says why.\n` };
  await inferdrop.run('report', run, '--save', reportFolder);
  await requireOwnModel(archive);
  const compared = await inferdrop.run(
    'report',
    run,
    '--format',
    'github',
    ...(against === undefined ? [] : ['--against', against]),
  );
  // A run that ended early has no rows to compare.
  const { output: text } =
    compared.code === 0 ? compared : await inferdrop.run('report', run, '--format', 'github');
  return { code, text: before + text };
}

/** Two jobs of a request may put their models under its one name at once. */
async function requireOwnModel(archive: string | undefined): Promise<void> {
  if (archive === undefined) return;
  const hash = createHash('sha256');
  await pipe(createReadStream(archive), hash);
  const { setup } = Judged.parse(JSON.parse(await readFile(path.join(reportFolder, 'report.json'), 'utf8')));
  if (setup !== null && setup.modelSha256 !== hash.digest('hex'))
    throw new Refused(
      'another job of this pull request has put its model meanwhile: run this job again, and let only one run at a time (concurrency)',
    );
}

const CHANGES = {
  undone: "differ (not used: the base's are dropped)",
  new: "are the request's own: the base has no such folder",
} as const;

/** Judges the request's files by the base's. */
async function judgeByBase(folder: string, base: BaseBranch, baseConfig: PipelineConfig): Promise<Verdict> {
  const pipeline = requestsPipeline();
  const request = readConfig(await requestText(workspace, folder), "the request's");
  const { folder: inputs, change } = await base.withoutChanges(read('FOLDER'));
  const { classes } = baseConfig.labels;
  const classesText = Array.isArray(classes) ? undefined : await base.text(folder, classes.file);
  const name = read('DROP_NAME');
  const putStaged = async (config: PipelineConfig, archive: string | undefined): Promise<boolean> =>
    put(await stagePipeline(scratch, { config, archive, classes: classesText }), pipeline);

  const tryBase = async (): Promise<string | undefined> => {
    const archive = await archiveIn(workspace, await base.copyOf(folder));
    if (!(await putStaged(triedBase(baseConfig), archive))) return undefined;
    const { code, run } = await drop({ pipeline, inputs, name: `${name}-base` });
    return code === 1 ? undefined : run;
  };
  const named = read('AGAINST') === '' ? undefined : read('AGAINST');
  const other = named ?? (isDeployed ? undefined : await tryBase());
  const used = judgedByBase(baseConfig, request, { other, isDeployed });
  const archive = request.model.artifact === null ? await archiveIn(workspace, folder) : undefined;
  // Known to the step that deletes it, whatever happens from here on.
  if (isDeployed) await output('pipeline', pipeline);
  if (!(await putStaged(used, archive))) throw new Refused(REFUSED);
  const notes = [
    ...differences(baseConfig, request, used),
    ...(change === null ? [] : [`- ⚠ inputs of ${inert(read('FOLDER'))} ${CHANGES[change]}`]),
  ];
  return dropAndTell({ pipeline, inputs, name }, { against: other, notes, archive });
}

/** The name under which the request's model is tried: never the name of a pipeline in use. */
function requestsPipeline(): string {
  const number = read('PULL') === '' ? read('GITHUB_RUN_ID') : read('PULL');
  const name = `${read('PIPELINE')}-pr-${number}`;
  const wrong = pipelineNameProblem(name);
  if (wrong !== undefined)
    throw new Refused(
      `pipeline ${read('PIPELINE')} cannot be tried as ${name}, which ${wrong}: give it a shorter name`,
    );
  return name;
}

async function judge(): Promise<Verdict> {
  const folder = read('PIPELINE_FOLDER');
  const against = read('AGAINST') === '' ? undefined : read('AGAINST');
  const own = { pipeline: read('PIPELINE'), inputs: read('FOLDER'), name: read('DROP_NAME') };
  if (folder === '') return dropAndTell(own, { against });
  const base = read('BASE_REF') === '' ? undefined : await openBase(workspace, read('BASE_REF'), scratch);
  const text = await base?.text(folder, CONFIG);
  if (base !== undefined && text !== undefined)
    return judgeByBase(folder, base, readConfig(text, "the base's"));
  if (isDeployed)
    throw new Refused(
      base === undefined
        ? 'with a role, pipeline-folder needs base-ref: the deployed pipeline is not to be changed by a pull request'
        : `with a role, the base must have ${folder}/${CONFIG}: try a new pipeline without role-to-assume`,
    );
  readConfig(await requestText(workspace, folder), "the request's");
  if (!(await put(folder, own.pipeline))) throw new Refused(REFUSED);
  const notes = ['- ⚠ this pipeline.json judges itself: no base branch has one'];
  return dropAndTell(own, { against, notes });
}

await mkdir(reportFolder, { recursive: true });
await withoutCommands(async () => {
  const stop = isDeployed ? undefined : await inferdrop.startStack(path.join(scratch, 'stack'));
  try {
    const { code, text } = await judge().catch((error: unknown): Verdict => {
      if (!(error instanceof Refused)) throw error;
      process.stdout.write(`${error.message}\n`);
      return { code: 1, text: `### ❌ not judged\n\n${inert(error.message)}\n` };
    });
    const comment = path.join(scratch, 'comment.md');
    await writeFile(comment, text);
    await output('code', code);
    await output('comment', comment);
    await output('report', reportFolder);
  } finally {
    await stop?.();
  }
});
