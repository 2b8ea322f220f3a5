import { expect, test } from 'vitest';
import { extensionOf, memberPlace, sampleOf } from '../../../src/input/member-path.ts';

test.each([
  ['cat/1.png', 'cat/1.png'],
  ['./cat/./1.png', 'cat/1.png'],
  ['cat//1.png', 'cat/1.png'],
  ['cat../1..png', 'cat../1..png'],
])('the file %s has the path %s', (name, path) => {
  expect(memberPlace(name, '0')).toEqual({ kind: 'file', path });
  expect(memberPlace(name, '\0')).toEqual(memberPlace(name, '7'));
});

test.each(['._1.png', '.hidden', 'a/.b/c', '__MACOSX/1.png', 'a/Thumbs.db'])('%s is hidden', (name) => {
  expect(memberPlace(name, '0')).toMatchObject({ kind: 'hidden' });
});

test.each([
  ['folder/', '0'],
  ['folder', '5'],
  ['./', '5'],
])('%s of type %s says nothing', (name, type) => {
  expect(memberPlace(name, type)).toBeUndefined();
});

test.each([
  ['/etc/passwd', '0', 'has an absolute path'],
  ['a/../../b', '0', 'has a path with ".."'],
  ['a', '2', 'is a symbolic link'],
  ['a', '1', 'is a hard link'],
  ['a', '3', 'is a device'],
  ['a', 'S', 'is a file with holes: pack it without --sparse'],
  ['a', 'V', 'is no plain file'],
  ['b.tar', '0', 'is a tar within a tar: drop it next to the others'],
  ['a\u0007b', '0', 'has a name with a control character, or that is not UTF-8'],
  ['a\ufffdb', '0', 'has a name with a control character, or that is not UTF-8'],
])('%s of type %s %s', (name, type, defect) => {
  expect(memberPlace(name, type)).toMatchObject({ kind: 'defect', defect });
});

test('a name that is told moves no cursor', () => {
  expect(memberPlace('a\u001b[2Jb\nc', '0')).toMatchObject({ path: 'a\ufffd[2Jb\ufffdc' });
});

test.each([
  ['a/000123.png', 'a/000123', 'png'],
  ['a/000123.seg.png', 'a/000123', 'seg.png'],
  ['a.b/000123', 'a.b/000123', ''],
])('%s is of the sample %s with the extension %s', (path, sample, extension) => {
  expect([sampleOf(path), extensionOf(path)]).toEqual([sample, extension]);
});
