import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { command } from '../../../src/cli/commands/split.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Ten patients of 1 to 4 scans, each a cat or a dog, and a label file. */
function scans(): string {
  const folder = temporaryFolder('scans-');
  for (let patient = 0; patient < 10; patient++)
    for (let scan = 0; scan <= patient % 4; scan++) {
      const place = path.join(folder, scan % 2 === 0 ? 'cat' : 'dog', `p${patient}_${scan}.png`);
      mkdirSync(path.dirname(place), { recursive: true });
      writeFileSync(place, `${patient} ${scan}`);
    }
  writeFileSync(path.join(folder, 'labels.csv'), 'key,label\n');
  return folder;
}

function split(folder: string, ...options: string[]) {
  const printed: string[] = [];
  const say = (line: string) => void printed.push(line);
  const terminal = { ...silentTerminal(), print: say, note: say };
  const save = path.join(temporaryFolder('parts-'), 'parts');
  return { printed, save, done: command.call('split', [folder, '--save', save, ...options], terminal) };
}

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
const patients = (names: readonly string[]) =>
  new Set(names.filter((name) => name.startsWith('p')).map((name) => name.split('_')[0]));

test('a patient is in one part only, both have the label file, and the classes are counted', async () => {
  const { printed, save, done } = split(scans(), '--by', '/(?P<patient>p[0-9]+)_', '--share', '30');
  expect(await done).toBe(0);
  const [train, evaluation] = [filesOf(path.join(save, 'train')), filesOf(path.join(save, 'evaluation'))];
  expect(train.length + evaluation.length).toBe(23 + 2);
  expect(patients(train).intersection(patients(evaluation)).size).toBe(0);
  expect(readFileSync(path.join(save, 'train', 'labels.csv'), 'utf8')).toBe('key,label\n');
  const count = evaluation.filter((name) => name.endsWith('.png')).length;
  expect(printed[1]?.split(/\s+/)).toEqual(['all', String(23 - count), String(count)]);
  expect(printed.slice(2, 4).map((line) => line.split(/\s+/)[0])).toEqual(['cat', 'dog']);
});

/** Keys of a part's label file, next to the names of its files. */
function keysAndFiles(part: string, labels: string, toKey: (name: string) => string) {
  const lines = readFileSync(path.join(part, labels), 'utf8').split('\n').filter(Boolean);
  const files = readdirSync(part, { recursive: true, encoding: 'utf8' }).filter((one) =>
    one.endsWith('.png'),
  );
  return { lines, files: files.map(toKey).sort() };
}

test.each([
  ['with extensions', 'key,label', (name: string) => name],
  ['without extensions', 'key,label', (name: string) => name.slice(0, -4)],
  ['with two columns that could be the label', 'filename,class,kind', (name: string) => `./${name}`],
])('each part has the rows of its own files, named %s', async (_, header, toKey) => {
  const folder = scans();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) =>
    one.endsWith('.png'),
  );
  const rows = names.map((name) => `${toKey(name)},cat${',dog'.repeat(header.split(',').length - 2)}`);
  writeFileSync(path.join(folder, 'labels.csv'), [header, ...rows, ''].join('\n'));
  const { save, done } = split(folder, '--by', '/(?P<patient>p[0-9]+)_', '--share', '30');
  await done;
  const parts = ['train', 'evaluation'].map((part) => {
    const { lines, files } = keysAndFiles(path.join(save, part), 'labels.csv', toKey);
    expect(lines[0]).toBe(header);
    expect(
      lines
        .slice(1)
        .map((line) => line.split(',')[0])
        .sort(),
    ).toEqual(files);
    return lines.length - 1;
  });
  expect((parts[0] ?? 0) + (parts[1] ?? 0)).toBe(names.length);
});

test('rows of JSON Lines are split; one about no file stays in both, and so does a file without keys', async () => {
  const folder = scans();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) =>
    one.endsWith('.png'),
  );
  const row = (key: string) => JSON.stringify({ key, label: 'cat' });
  writeFileSync(path.join(folder, 'labels.jsonl'), [...names, 'typo.png'].map(row).join('\r\n'));
  writeFileSync(path.join(folder, 'labels.txt'), 'cat\ndog\n');
  const { save, done } = split(folder, '--by', '/(?P<patient>p[0-9]+)_', '--share', '30');
  await done;
  for (const part of ['train', 'evaluation']) {
    const { lines, files } = keysAndFiles(path.join(save, part), 'labels.jsonl', (name) => name);
    expect(lines.toSorted()).toEqual([...files, 'typo.png'].map(row).sort());
    expect(readFileSync(path.join(save, part, 'labels.txt'), 'utf8')).toBe('cat\ndog\n');
  }
});

test.each([
  ['files of one group', ['--level', '9'], 'for files without a group, has 23 of 23'],
  ['a pattern without a group', ['--by', 'p[0-9]+'], 'must have a named group'],
  ['no groups', [], 'split needs --by PATTERN or --level N'],
])('refused: %s', async (_, options, text) => {
  await expect(split(scans(), '--share', '20', ...options).done).rejects.toThrow(text);
});

test('a label file that is not UTF-8 stays whole in both parts, to the byte, and that is said', async () => {
  const folder = scans();
  const bytes = Buffer.from('key,label\np0_0.png,\xe9l\xe9phant\n', 'latin1');
  writeFileSync(path.join(folder, 'labels.csv'), bytes);
  const { printed, save, done } = split(folder, '--by', '/(?P<patient>p[0-9]+)_', '--share', '30');
  expect(await done).toBe(0);
  for (const part of ['train', 'evaluation'])
    expect(readFileSync(path.join(save, part, 'labels.csv'))).toEqual(bytes);
  expect(printed.join('\n')).toContain('labels.csv is in both parts, since it is not UTF-8: save it as such');
});

test.each(['0', '100', '0.0', '1e1', 'ten'])('a share of %j is refused', async (share) => {
  await expect(split(scans(), '--level', '1', '--share', share).done).rejects.toThrow('--share must be');
});

test('a folder with files is not written into', async () => {
  const folder = scans();
  const { done } = split(folder, '--by', '/(?P<patient>p[0-9]+)_', '--share', '30', '--save', folder);
  await expect(done).rejects.toThrow(`--save ${folder} must be a new or empty folder`);
});
