import { describe, expect, it } from 'vitest';
import { dropFileKeys, dropPrefix, kindOf, opensRun, parseDropKey } from '../../../src/drop/drop-key.ts';
import { aDrop } from '../../support/a-run.ts';

describe('parseDropKey', () => {
  it.each([
    ['incoming/cifar10/monday/a.png', 'monday', 'file'],
    ['incoming/cifar10/monday/deep/er/a.png', 'monday', 'file'],
    ['incoming/cifar10/monday/job.json', 'monday', 'job'],
    ['incoming/cifar10/monday/labels.csv', 'monday', 'labels'],
    ['incoming/cifar10/monday/labels.jsonl', 'monday', 'labels'],
    ['incoming/cifar10/monday/labels.csv/a.png', 'monday', 'file'],
    ['incoming/cifar10/monday/_READY', 'monday', 'mark'],
    ['incoming/cifar10/monday/', 'monday', 'folder'],
    ['incoming/cifar10/monday/deep/', 'monday', 'folder'],
    ['incoming/cifar10/a.png', 'default', 'file'],
    ['incoming/cifar10/job.json', 'default', 'job'],
    ['incoming/cifar10/', 'default', 'folder'],
    ['incoming/cifar10/default/a.png', 'default', 'file'],
  ])('reads %s as drop %s, %s', (key, drop, kind) => {
    expect(parseDropKey(key)).toEqual({ drop: { kind: 'inference', pipeline: 'cifar10', drop }, kind });
  });

  it.each([
    ['training/cifar10/monday/train/a.png', 'monday', 'file'],
    ['training/cifar10/monday/labels.csv', 'monday', 'file'],
    ['training/cifar10/monday/job.json', 'monday', 'job'],
    ['training/cifar10/monday/_READY', 'monday', 'mark'],
    ['training/cifar10/a.npy', 'default', 'file'],
    ['training/cifar10/', 'default', 'folder'],
  ])('reads %s as drop %s of trainings, %s', (key, drop, kind) => {
    expect(parseDropKey(key)).toEqual({ drop: { kind: 'training', pipeline: 'cifar10', drop }, kind });
  });

  it('takes the folder that the console makes of incoming/ for nothing', () => {
    expect(parseDropKey('incoming/')).toMatchObject({ kind: 'folder' });
    expect(parseDropKey('training/')).toMatchObject({ kind: 'folder' });
  });

  it.each([
    ['runs/a', 'key must begin with incoming/ or training/, is "runs/a"'],
    ...['incoming', 'training'].map((folder) => [
      `${folder}/training/d/a`,
      `pipeline in "${folder}/training/d/a" must be another name than training, which is the name of the folders of trainings`,
    ]),
    [
      'training/a',
      'key must be training/<pipeline>/<drop>/<file>, is "training/a": move it below a pipeline',
    ],
    [
      'incoming/a.png',
      'key must be incoming/<pipeline>/<drop>/<file>, is "incoming/a.png": move it below a pipeline',
    ],
    [
      'incoming/CIFAR/d/a',
      'pipeline in "incoming/CIFAR/d/a" must be 1 to 64 of a-z 0-9 . _ - and begin and end with a letter or digit, is "CIFAR"',
    ],
    [
      'incoming//d/a',
      'pipeline in "incoming//d/a" must be 1 to 64 of a-z 0-9 . _ - and begin and end with a letter or digit, is ""',
    ],
    [
      `incoming/p/${'é'.repeat(401)}/a`,
      'drop must be named in at most 800 bytes of UTF-8, has 802: the keys of its runs would exceed what S3 takes',
    ],
    [
      'incoming/p/@held-out/a',
      "drop must not begin with @, which stands for the evaluation sets of the pipeline's owner, key is " +
        '"incoming/p/@held-out/a": rename the folder',
    ],
    ['incoming/cifar10//a', 'drop must have a name, key is "incoming/cifar10//a": remove the double slash'],
  ])('refuses %s with what is wrong', (key, problem) => {
    expect(parseDropKey(key)).toEqual({ problem });
  });
});

it('reserves names directly in the drop only', () => {
  expect(['job.json', 'labels.csv', '_READY', '_UPLOADING'].map((path) => kindOf(path, 'inference'))).toEqual(
    ['job', 'labels', 'mark', 'mark'],
  );
  expect(
    ['x/job.json', 'x/labels.csv', 'x/_READY', 'labels', 'mylabels.csv', 'job.json.png'].map((path) =>
      kindOf(path, 'inference'),
    ),
  ).toEqual(Array(6).fill('file'));
});

it.each([
  '.DS_Store',
  'a/.DS_Store',
  '.git/HEAD',
  'a/Thumbs.db',
  'desktop.ini',
  '__MACOSX/._a.png',
  'a/__MACOSX/b.png',
])('%s is no input', (path) => {
  expect(kindOf(path, 'inference')).toBe('hidden');
});

it.each(['a.b/c.png', 'thumbs.db.png', 'my__MACOSX/a.png', 'MACOSX.png', 'a..png'])(
  '%s is an input',
  (path) => {
    expect(kindOf(path, 'inference')).toBe('file');
  },
);

it('opens runs for files, job.json and labels', () => {
  expect((['file', 'job', 'labels', 'mark', 'folder', 'hidden'] as const).filter(opensRun)).toEqual([
    'file',
    'job',
    'labels',
  ]);
});

it('gives the default drop two places', () => {
  expect(dropFileKeys(aDrop('p/default'), 'job.json')).toEqual([
    'incoming/p/job.json',
    'incoming/p/default/job.json',
  ]);
  expect(dropFileKeys(aDrop('p/d'), 'job.json')).toEqual(['incoming/p/d/job.json']);
  expect(dropPrefix(aDrop('p/default'))).toBe('incoming/p/');
  expect(dropPrefix(aDrop('p/d'))).toBe('incoming/p/d/');
  expect(dropFileKeys(aDrop('training/p/default'), 'job.json')).toEqual([
    'training/p/job.json',
    'training/p/default/job.json',
  ]);
});
