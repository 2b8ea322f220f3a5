import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compilePattern, needsBacktracking } from '../../service-model/pattern.ts';

const MODELS = new URL('../../service-model/models/', import.meta.url);

const patterns = readdirSync(MODELS).flatMap((file) => {
  const { shapes } = JSON.parse(readFileSync(new URL(file, MODELS), 'utf8')) as {
    shapes: Record<string, { pattern?: string }>;
  };
  return Object.values(shapes).flatMap(({ pattern }) => (pattern === undefined ? [] : [pattern]));
});

test('every pattern of the models compiles', () => {
  expect(patterns.length).toBeGreaterThan(100);
  const failed = patterns.filter((pattern) => {
    try {
      return compilePattern(pattern) === undefined;
    } catch {
      return true;
    }
  });
  expect(failed).toEqual([]);
});

test('few need an engine that backtracks, and none of them repeats a repetition', () => {
  expect([...new Set(patterns.filter(needsBacktracking))].sort()).toEqual([
    '(?!\\s*$).+',
    '(arn:aws[a-z\\-]*:sagemaker:[a-z0-9\\-]*:[0-9]{12}:[a-z\\-]*\\/)?([a-zA-Z0-9]([a-zA-Z0-9-]){0,62})(?<!-)',
    '(arn:aws[a-z\\-]*:sagemaker:[a-z0-9\\-]*:[0-9]{12}:[a-z\\-]*\\/)?([a-zA-Z0-9]([a-zA-Z0-9-]){0,62})(?<!-)(\\/[0-9]{1,9})?',
    '/(?!.*\\.\\.)[a-zA-Z0-9/_.\\-]+',
    '[0-9A-Za-z\\.\\-_]*(?<!\\.)',
    '[a-zA-Z_][a-zA-Z0-9_]{0,1023}',
    '^(?!\\s*$).+',
    'arn:aws[a-z\\-]*:sagemaker:[a-z0-9\\-]{9,16}:[0-9]{12}:model-package-group/[\\S]{1,2048}',
    'arn:aws[a-z\\-]*:sagemaker:[a-z0-9\\-]{9,16}:[0-9]{12}:model-package/[\\S]{1,2048}',
  ]);
});

test.each([
  ['[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}', 'a-b', 'a-'],
  ['\\p{Print}+', 'a b', 'ä'],
  ['\\p{ASCII}*', 'a', 'ä'],
  ['[\\p{Alnum}\\-]+', 'a-1', 'ä-1'],
  ['\\A\\S[\\p{Print}]*\\z', 'a b', ' a'],
  ['([\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]*)', 'Größe 1', 'a?'],
  ['[\\u0020-\\uD7FF\\uE000-\\uFFFD\\uD800\\uDC00-\\uDBFF\\uDFFF\\r\\n\\t]*', 'a😀', '\u0001'],
  ['(?!\\s*$).+', 'a', '  '],
  ['(https|s3)://([^/]+)/?(.*)', 's3://bucket/key', 's3:///key'],
])('%s takes %j, not %j', (pattern, good, bad) => {
  expect(compilePattern(pattern)(good)).toBe(true);
  expect(compilePattern(pattern)(bad)).toBe(false);
});

test('a pattern is of the whole text', () => {
  expect(compilePattern('a')('ab')).toBe(false);
  expect(compilePattern('a|b')('ab')).toBe(false);
});

test('a long text costs time in proportion, where a backtracking engine would take years', () => {
  const header = '^[ \\t]*[\\x20-\\x7E]+([ \\t]+[\\x20-\\x7E]+)*[ \\t]*$';
  expect(compilePattern(header)(`${' a'.repeat(256)}\n`)).toBe(false);
});
