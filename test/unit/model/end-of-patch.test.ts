import { expect, it } from 'vitest';
import { newestContainer, newestPatched, patchNotes } from '../../../src/frameworks/end-of-patch.ts';
import { Framework } from '../../../src/frameworks/framework-name.ts';
import { FRAMEWORKS } from '../../../src/frameworks/frameworks.ts';

const at = (day: string) => new Date(`${day}T12:00:00Z`);

it.each<[Framework, string, string, RegExp]>([
  [
    'tensorflow',
    '2.19.0',
    '2026-11-23',
    /2\.19\.0 container has had no security patches since 2026-03-11: .*2\.20/,
  ],
  ['tensorflow', '2.19', '2026-01-01', /has security patches until 2026-03-11: .*2\.20/],
  ['tensorflow', '2.13.0', '2026-11-23', /since 2024-09-26 or earlier/],
  ['pytorch', '2.6.0', '2026-11-23', /since 2026-06-30: AWS has no newer one .* model\.image/],
  ['onnx', '2.6', '2026-11-23', /^AWS's pytorch 2\.6 container/],
  ['pytorch', '1.12.1', '2026-11-23', /since 2024-10-28 or earlier/],
])('%s %s at %s is noted', (framework, version, day, note) => {
  expect(patchNotes(framework, version, at(day))).toEqual([expect.stringMatching(note)]);
});

it.each<[Framework, string, string]>([
  ['tensorflow', '2.20', '2026-11-23'],
  ['tensorflow', '2.19.0', '2025-11-23'],
  ['tensorflow', '2.25', '2030-01-01'],
])('%s %s at %s is not', (framework, version, day) => {
  expect(patchNotes(framework, version, at(day))).toEqual([]);
});

it.each<[Framework, string, string]>([
  ['onnx', '2026-06-29', 'the newest container of AWS, patched until 2026-06-30'],
  [
    'onnx',
    '2026-06-30',
    'the newest container of AWS that serves archives; AWS ended its patches on 2026-06-30',
  ],
])('the newest container of %s at %s is said to be patched only while it is', (framework, day, words) => {
  expect(newestContainer(framework, at(day))).toBe(words);
});

it('the newest version of every framework has a date', () => {
  for (const framework of Framework.options) {
    const versions = FRAMEWORKS[framework].images.inference.flatMap((row) => row.versions);
    const { version } = newestPatched(framework);
    expect(versions.at(-1)?.split('.').slice(0, 2).join('.')).toBe(version);
  }
});
