import { expect, test } from 'vitest';
import { tellingLines } from '../../../web/console/parts/telling-lines.ts';

const log = (...texts: string[]) => texts.map((text) => ({ at: '', source: 'container', text }));
const texts = (...lines: string[]) => tellingLines(log(...lines)).lines.map(({ text }) => text);

const SYNTAX = [
  '  File "/opt/ml/model/code/inference.py", line 13',
  '    def input_handler(data, context)',
  '                                    ^',
  "SyntaxError: expected ':'",
];

test('a traceback through the own script is found among the lines of the server, with its place', () => {
  const lines = [
    'starting',
    'Traceback (most recent call last):',
    ...SYNTAX,
    'Worker exiting (pid: 7)',
    'Error: worker failed to boot',
  ];
  expect(tellingLines(log(...lines))).toMatchObject({
    place: { where: 'code/inference.py, line 13', error: "SyntaxError: expected ':'" },
  });
  expect(texts(...lines)).toEqual(SYNTAX);
});

test('the innermost line of the own script counts, not that of a library below it', () => {
  const { place } = tellingLines(
    log(
      '  File "/usr/lib/python3/runpy.py", line 1, in run',
      '  File "/opt/ml/code/train.py", line 3, in <module>',
      '  File "/opt/ml/code/train.py", line 9, in main',
      '  File "/usr/lib/python3/site-packages/numpy/core.py", line 2, in check',
      'ValueError: shapes differ',
    ),
  );
  expect(place).toEqual({ where: 'code/train.py, line 9', error: 'ValueError: shapes differ' });
});

test('without a traceback the newest line that speaks of an error counts, with those before it', () => {
  const before = Array.from({ length: 20 }, (_, at) => `line ${at}`);
  expect(texts(...before, 'container was killed', 'bye')).toEqual([
    ...before.slice(-5),
    'container was killed',
  ]);
});

test('a log that speaks of no error shows its end, an empty one nothing', () => {
  expect(texts('a', 'b')).toEqual(['a', 'b']);
  expect(texts()).toEqual([]);
});

test('what a function has written for its operator tells nothing, but for its errors', () => {
  const line = (level: string) => `{"timestamp":"2026-01-02T03:04:05.678Z","level":"${level}","message":{}}`;
  expect(texts(line('INFO'), line('DEBUG'))).toEqual([]);
  expect(texts(line('INFO'), line('ERROR'))).toEqual([line('ERROR')]);
});
