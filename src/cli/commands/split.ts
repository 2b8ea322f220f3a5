import { constants, copyFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { kindOf } from '../../drop/drop-key.ts';
import { writtenPattern } from '../../plan/judge/written-pattern.ts';
import { clusterOf } from '../../slice/cluster-of.ts';
import type { Dimension } from '../../slice/dimension.ts';
import { splitGroups } from '../../slice/split-groups.ts';
import { grouped, plural } from '../../text/figures.ts';
import { quoted } from '../../text/shell-quoted.ts';
import { defineCommand, required, valued } from '../define-command.ts';
import { listLocalFiles } from '../files/local-files.ts';
import { makeFolder } from '../files/make-folder.ts';
import { splitLabels } from '../files/split-labels.ts';
import { Refusal } from '../refusal.ts';
import { right, toTable } from '../show/table.ts';
import { visible } from '../show/terminal.ts';
import { UsageError } from '../usage-error.ts';

const PARTS = ['train', 'evaluation'] as const;

/** `inferdrop split`: a folder in two, so that training and evaluation share no group. */
export const command = defineCommand({
  about:
    'Copies the files of a folder into the new folders DIR/train and DIR/evaluation, so that no group, such as a ' +
    'patient, has files in both. Files without a group are one group together, as for report.clusters. The same names ' +
    'give the same parts.',
  examples: [
    "inferdrop split scans --by '/(?P<patient>p[0-9]+)_' --share 20 --save parts",
    'inferdrop split scans --level 1 --share 20 --save parts',
  ],
  page: 'docs/training.md',
  options: {
    by: valued('PATTERN', 'groups are the named groups of this pattern in /PATH'),
    level: valued('N', 'groups are the folders of this level, from 1 on'),
    share: required('PERCENT', 'of the files, for the evaluation'),
    save: required('DIR', 'new folder of both parts'),
  },
  oneOf: ['by', 'level'],
  operand: 'FOLDER',
  async run({ options, operand }, terminal) {
    const share = Number(options.share);
    if (!(/^\d{1,2}(\.\d+)?$/.test(options.share) && share > 0))
      throw new UsageError(`--share must be above 0 and below 100, is ${options.share}`);
    const groupOf = clusterOf({ noun: 'group', by: dimensions(options) }, '/');
    const { files } = await listLocalFiles(operand);
    const isInput = ({ relative }: (typeof files)[number]): boolean =>
      kindOf(relative, 'inference') === 'file';
    const inputs = files.filter(isInput).map((file) => ({
      ...file,
      name: file.relative,
      group: groupOf({ key: `/${file.relative}` }),
      label: path.posix.basename(path.posix.dirname(file.relative)),
    }));
    const parts = splitGroups(inputs, share / 100);
    if ('reached' in parts)
      throw new Refusal(
        `${operand} cannot be split: of ${plural(parts.wanted, 'file')} for the evaluation, whole groups give ` +
          `${grouped(parts.reached)}. The largest group, ${shownGroup(parts.largest)}, has ${grouped(parts.files)} of ` +
          `${grouped(inputs.length)}. Give another --share, or smaller groups`,
      );
    const both = [];
    const notes = [];
    const labelFiles = [];
    for (const beside of files.filter((file) => !isInput(file))) {
      const { relative } = beside;
      const split =
        kindOf(relative, 'inference') === 'labels'
          ? await splitLabels(beside, [parts.train, parts.evaluation])
          : undefined;
      if (split !== undefined && 'texts' in split) {
        labelFiles.push({ relative, texts: split.texts });
        notes.push(`each part has the rows of ${relative} about its own files`);
      } else {
        both.push(beside);
        notes.push(`${relative} is in both parts${split === undefined ? '' : `, since it ${split.refusal}`}`);
      }
    }
    await requireNew(options.save);
    for (const [at, part] of PARTS.entries()) {
      const folder = path.join(options.save, part);
      await copyNew([...parts[part], ...both], folder);
      for (const { relative, texts } of labelFiles)
        await writeFile(path.join(folder, relative), texts[at] ?? '');
    }
    const count = (part: (typeof PARTS)[number], label?: string): string =>
      grouped(parts[part].filter((file) => label === undefined || file.label === label).length);
    const labels = [...new Set(inputs.map(({ label }) => label))].sort();
    const rows = [undefined, ...(labels.length > 1 ? labels : [])];
    const lines = toTable(rows, [
      { title: 'FOLDER', text: (label) => (label === undefined ? 'all' : visible(label)) },
      right('TRAIN', (label) => count('train', label)),
      right('EVALUATION', (label) => count('evaluation', label)),
    ]);
    for (const line of lines) terminal.print(line);
    for (const note of notes) terminal.note(visible(note));
    terminal.print(
      visible(
        `Then: inferdrop drop ${quoted(path.join(options.save, 'evaluation'))} --pipeline P --evaluation`,
      ),
    );
    return 0;
  },
});

function dimensions({ by, level }: { readonly by?: string; readonly level?: string }): Dimension[] {
  if (level !== undefined) {
    if (!/^[1-9]\d?$/.test(level)) throw new UsageError(`--level must be 1..99, is ${level}`);
    return [{ from: 'folder', name: 'group', level: Number(level) }];
  }
  if (by === undefined) throw new UsageError('split needs --by PATTERN or --level N, which name the groups');
  const pattern = writtenPattern(by);
  if ('message' in pattern) throw new UsageError(`--by ${pattern.message}`);
  const names = Object.keys(pattern.namedGroups());
  if (names.length === 0)
    throw new UsageError(`--by must have a named group, as in '/(?P<patient>p[0-9]+)_', is ${by}`);
  return names.map((name) => ({ from: 'key', name, pattern: by }));
}

/** The group as a person reads it. */
function shownGroup(group: string): string {
  const parts = group.split('\n').filter((value) => value !== '');
  return parts.length === 0 ? 'for files without a group' : visible(JSON.stringify(parts.join(', ')));
}

/** @throws {Refusal} if the folder has files: an earlier split's files would be in the wrong part */
async function requireNew(folder: string): Promise<void> {
  await makeFolder(folder);
  const [first] = await readdir(folder);
  if (first !== undefined) throw new Refusal(`--save ${folder} must be a new or empty folder, has ${first}`);
}

async function copyNew(
  files: readonly { readonly file: string; readonly relative: string }[],
  folder: string,
): Promise<void> {
  const made = new Set<string>();
  for (const { file, relative } of files) {
    const place = path.join(folder, relative);
    const parent = path.dirname(place);
    if (!made.has(parent)) await makeFolder(parent);
    made.add(parent);
    await copyFile(file, place, constants.COPYFILE_FICLONE);
  }
}
