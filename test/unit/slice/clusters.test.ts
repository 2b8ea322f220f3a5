import { expect, test } from 'vitest';
import { clusterOf } from '../../../src/slice/cluster-of.ts';
import type { Clusters } from '../../../src/slice/dimension.ts';

const PREFIX = 'incoming/shapes/monday/';
const patient = '(?P<ward>w[0-9])-(?P<patient>p[0-9]+)';

test.each<[string, Clusters['by'], object, string]>([
  ['a folder', [{ from: 'folder', name: 'scene', level: 2 }], { key: `${PREFIX}a/b/1.png` }, 'b'],
  ['no folder', [{ from: 'folder', name: 'scene', level: 2 }], { key: `${PREFIX}a/1.png` }, ''],
  [
    'the groups of a pattern',
    [
      { from: 'key', name: 'ward', pattern: patient },
      { from: 'key', name: 'patient', pattern: patient },
    ],
    { key: `${PREFIX}w1-p7_3.png` },
    'w1\np7',
  ],
  [
    'a cell',
    [{ from: 'file', name: 'who', column: 'who' }],
    { key: `${PREFIX}1.png`, fields: ['ann'] },
    'ann',
  ],
  ['no row', [{ from: 'file', name: 'who', column: 'who' }], { key: `${PREFIX}1.png` }, ''],
  ['a file', [], { key: `${PREFIX}a.csv` }, `${PREFIX}a.csv`],
  ['a tar', [], { key: `${PREFIX}a.tar/1.png`, member: { object: `${PREFIX}a.tar` } }, `${PREFIX}a.tar`],
])('by %s', (_, by, record, group) => {
  expect(clusterOf({ noun: 'group', by }, PREFIX)({ key: '', ...record })).toBe(group);
});
