import { readFile, stat, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { replaceLabels } from '../../app/plan/write/replace-labels.ts';
import { addToReviews } from '../../app/records/reviews.ts';
import { chooseRecords } from '../../app/review/choose-records.ts';
import { importAnswers, type ImportedReview } from '../../app/review/import-answers.ts';
import { requireRescorable } from '../../app/run/rescorable.ts';
import { rescore } from '../../app/run/rescore.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { plural } from '../../text/figures.ts';
import { quoted } from '../../text/shell-quoted.ts';
import { type Application, connect } from '../application.ts';
import { defineCommand, flag, oneOfWords, type OptionValues, STAGE, valued } from '../define-command.ts';
import { REVIEW_TOOLS, saveReview } from '../files/save-review.ts';
import { Refusal } from '../refusal.ts';
import { requireRun } from '../runs/near-runs.ts';
import { repeatedText } from '../runs/repeated-text.ts';
import { toRun } from '../runs/run-result.ts';
import { type Terminal, visible } from '../show/terminal.ts';
import { UsageError } from '../usage-error.ts';

/** Cap on the bytes of the answers, which memory holds. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;
const MAX_DRAWN = 10_000;
/** Records without a task that are named. */
const MAX_NAMED = 5;

const OPTIONS = {
  for: valued(REVIEW_TOOLS.join('|'), 'writes tasks for this tool'),
  wrong: flag('records with a prediction other than the label'),
  suspect: flag('labels worth a look; so without another choice'),
  unsure: valued('N', 'the N other records with the lowest score'),
  random: valued('N', 'draws N of them, or of all records'),
  'with-predictions': flag('tasks with the label and the prediction, without controls'),
  links: flag('links for an hour instead of copied images'),
  import: valued('FILE', 'reads the answers, as the tool exports them'),
  by: valued('NAME', 'who answered, if FILE does not say it'),
  rescore: flag('scores the run again with the new labels'),
  save: valued('PATH', "folder of the tasks; with --import a new label file, in place of the drop's"),
  ...STAGE,
} as const;
type Options = OptionValues<typeof OPTIONS>;

/** `inferdrop review`: records of a run to a labeling tool, and the answers back into the labels. */
export const command = defineCommand({
  about:
    'Writes records of a run as tasks for a labeling tool, with their images. The tasks are blind: neither the label ' +
    'nor the prediction is in them, and right answers are among them. A label changes if two people say the same. ' +
    "With --import the answers become a new version of the drop's label file: Label Studio's JSON, CVAT's XML (CVAT " +
    'for images 1.1), or the table.',
  examples: [
    'inferdrop review cats/monday/000001 --for label-studio --suspect --save new',
    'inferdrop review cats/monday/000001 --import export.json --rescore',
  ],
  page: 'docs/reports.md',
  options: OPTIONS,
  operand: 'RUN',
  async run({ options, operand }, terminal) {
    const isImport = options.import !== undefined;
    if (isImport === (options.for !== undefined))
      throw new UsageError('review needs --for label-studio, cvat or csv, or --import FILE');
    if (
      isImport &&
      (options.wrong ||
        options.suspect ||
        options['with-predictions'] ||
        options.links ||
        options.unsure !== undefined ||
        options.random !== undefined)
    )
      throw new UsageError(
        '--import takes no --wrong, --suspect, --unsure, --random, --with-predictions or --links',
      );
    if (!isImport && (options.rescore || options.by !== undefined))
      throw new UsageError('--rescore and --by belong to --import FILE');
    if (options.rescore && options.save !== undefined)
      throw new UsageError('review takes one of --rescore and --save, not both');
    const choice = {
      ...options,
      unsure: toCount('unsure', options.unsure),
      random: toCount('random', options.random),
    };
    const application = await connect(options.stage);
    const run = toRun(await requireRun(application.store, operand));
    return isImport
      ? takeAnswers(application, run, options, terminal)
      : writeTasks(application, run, choice, terminal);
  },
});

async function writeTasks(
  { store, links }: Application,
  run: RunParts,
  options: Omit<Options, 'unsure' | 'random'> & {
    readonly unsure: number | undefined;
    readonly random: number | undefined;
  },
  terminal: Terminal,
): Promise<number> {
  const tool = oneOfWords('for', options.for ?? '', REVIEW_TOOLS);
  if (options.save === undefined)
    throw new UsageError('--for needs --save DIR, the folder that the tasks are written into');
  if (tool === 'cvat' && options.links)
    throw new UsageError('--links is for label-studio and csv: CVAT takes files');
  const how = options['with-predictions'] ? 'shown' : 'blind';
  if (how === 'blind' && options.links)
    throw new UsageError(
      '--links needs --with-predictions: a link shows the name of its image, which may tell the label',
    );
  const folder = path.resolve(options.save);
  const { wrong, unsure, random } = options;
  const suspect = options.suspect || (!wrong && unsure === undefined && random === undefined);
  const controls = how === 'blind';
  const chosen = await chooseRecords(store, run, { wrong, suspect, unsure, random, controls });
  const { tasks, pictures, left } = await saveReview(store, chosen, {
    folder,
    tool,
    how,
    links: options.links ? links : undefined,
  });
  const drawn = controls ? tasks.filter((id) => chosen.drawn.has(id)) : [];
  await addToReviews(store, chosen.predictedBy, { [how]: tasks, drawn });
  for (const line of left.slice(0, MAX_NAMED)) terminal.note(visible(`left out: ${line}`));
  if (left.length > MAX_NAMED) terminal.note(`left out: ${left.length - MAX_NAMED} more`);
  if (options.links) terminal.note('the links work for an hour, for everyone who has them');
  terminal.print(visible(`${plural(tasks.length, 'task')} with ${plural(pictures, 'picture')} in ${folder}`));
  terminal.print(visible(NEXT[tool](folder)));
  terminal.print(visible(`Then: inferdrop review ${quoted(toRunId(run))} --import FILE`));
  return 0;
}

const NEXT: Readonly<Record<(typeof REVIEW_TOOLS)[number], (folder: string) => string>> = {
  'label-studio': (folder) =>
    'Label Studio: start it with LABEL_STUDIO_LOCAL_FILES_SERVING_ENABLED=true and ' +
    `LABEL_STUDIO_LOCAL_FILES_DOCUMENT_ROOT=${quoted(path.dirname(folder))}, take labels.xml as the project's ` +
    'labeling interface, add the folder images as its local storage, import tasks.json; export the answers as JSON.',
  cvat: () =>
    'CVAT: make a task with labels.json (Raw) and the files of images, upload annotations.xml as "CVAT 1.1"; tick ' +
    '"reviewed" of each tag that you have looked at, and export "CVAT for images 1.1".',
  csv: () => 'Fill in the column reviewed_label of review.csv; rows that you leave empty stay as they are.',
};

async function takeAnswers(
  application: Application,
  run: RunParts,
  options: Options,
  terminal: Terminal,
): Promise<number> {
  const { store } = application;
  const name = toRunId(run);
  const file = options.import ?? '';
  const { size } = await stat(file);
  if (size > MAX_ANSWER_BYTES)
    throw new Refusal(`${file} must have at most ${MAX_ANSWER_BYTES} bytes, has ${size}: import it in parts`);
  // Nothing is replaced for a run that cannot be scored again.
  if (options.rescore) await requireRescorable(store, run);
  const answers = { text: await readFile(file, 'utf8'), by: options.by ?? userInfo().username };
  const review = await importAnswers({ store, clock: () => new Date() }, run, answers);
  for (const line of reviewLines(review)) terminal.print(visible(line));
  const keep = (): Promise<void> =>
    addToReviews(store, review.predictedBy, { readings: [...review.readings] });
  if (review.waiting === review.reviewed) {
    await keep();
    terminal.print(
      visible(`no label has changed. Then: inferdrop review ${quoted(name)} --for TOOL --save DIR`),
    );
    return 0;
  }
  if (options.save !== undefined) {
    // A file that is there is not overwritten.
    await writeFile(options.save, review.text, { flag: 'wx' });
    await keep();
    terminal.print(
      visible(
        `labels: ${options.save}. Then: inferdrop rescore ${quoted(name)} --labels ${quoted(options.save)}`,
      ),
    );
    return 0;
  }
  if (!review.isRead)
    throw new Refusal(
      `the labels of ${name} come from no file: --save FILE writes one with all labels of the run and these answers. ` +
        `Put it into the drop as ${review.name}, set labels.truth to {"from": "file", "path": "${review.name}"}, and ` +
        `inferdrop rescore ${quoted(name)} uses it`,
    );
  const { key, before } = await replaceLabels(store, run, Buffer.from(review.text), review.over);
  await keep();
  const version = before?.versionId === undefined ? '' : `, version ${before.versionId},`;
  terminal.print(
    visible(
      before === undefined
        ? `labels: ${key}, which was not there before`
        : `labels: ${key} is a new version; the former one${version} stays in the bucket`,
    ),
  );
  if (!options.rescore) {
    terminal.print(visible(`Then: inferdrop rescore ${quoted(name)} --wait`));
    return 0;
  }
  terminal.print(visible(repeatedText(await rescore({ run }, application))));
  return 0;
}

function reviewLines({ reviewed, agreed, changed, waiting, asPredicted }: ImportedReview): string[] {
  return [
    `${plural(reviewed, 'record')} reviewed: ${agreed} agree with the label, ${changed} changed; the model was right in ${asPredicted}`,
    ...(waiting > 0
      ? [`${waiting} would be changed: a second person must say the same, and finds them in the next review`]
      : []),
  ];
}

function toCount(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (/^\d{1,5}$/.test(text) && count >= 1 && count <= MAX_DRAWN) return count;
  throw new UsageError(`--${option} must be 1..${MAX_DRAWN}, is ${text}`);
}
