import { expect, test } from 'vitest';
import type { Numbers } from '../../../src/label/label-check.ts';
import { nearestClass, readLabels } from '../../../src/label/reading.ts';

const PETS = ['cat', 'dog', 'bird'];
const ONE_TO_THREE = ['1', '2', '3'];

function read(labels: readonly string[], classes: readonly string[], numbers: Numbers | null = null) {
  const reading = readLabels(new Map(labels.map((label) => [label, 1])), { classes, numbers });
  if (reading.kind === 'refused') return [reading.refusal, ...reading.offers.map((one) => one.numbers)];
  return labels.map((label) => `${label} → ${classes[reading.resolve(label) ?? -1] ?? 'no class'}`);
}

test.each([
  [
    'names, composed or not, with blanks',
    [' cat', 'cafe\u0301'],
    ['cat', 'caf\u00e9'],
    [' cat → cat', 'cafe\u0301 → caf\u00e9'],
  ],
  ['a name that is near is no class', ['Cat', 'dog'], PETS, ['Cat → no class', 'dog → dog']],
  [
    'places from 0, as programs write them',
    ['0', '1.0', '2.000000000000000000e+00', '01'],
    PETS,
    ['0 → cat', '1.0 → dog', '2.000000000000000000e+00 → bird', '01 → dog'],
  ],
  ['places, and a value that is missing', ['0', '2', 'nan'], PETS, ['0 → cat', '2 → bird', 'nan → no class']],
  [
    'numbers that are names are compared by value',
    ['1.0', '2.0', '03'],
    ONE_TO_THREE,
    ['1.0 → 1', '2.0 → 2', '03 → 3'],
  ],
  ['a number of a name that no place has', ['7', '9'], ['7', '8', '9'], ['7 → 7', '9 → 9']],
  ['names 0 to 2 mean the same both ways', ['0', '1.0'], ['0', '1', '2'], ['0 → 0', '1.0 → 1']],
  ['both signs are names', ['-1', '1'], ['-1', '1'], ['-1 → -1', '1 → 1']],
])('%s', (_, labels, classes, wanted) => {
  expect(read(labels, classes)).toEqual(wanted);
});

test.each([
  [
    'names or places',
    ['1', '2'],
    ONE_TO_THREE,
    [
      'are numbers ("1", "2") that fit both the names of labels.classes and places in it, with different classes',
      'names',
      'index',
    ],
  ],
  [
    'places for names from 1',
    ['0', '1', '3'],
    ONE_TO_THREE,
    ['have "0", which is no name of labels.classes but a place in it', 'names', 'index'],
  ],
  [
    'places from 1 for names from 0',
    ['1', '2', '3'],
    ['0', '1', '2'],
    ['have "3", which is no name of labels.classes but a place in it', 'names', 'index-from-1'],
  ],
  [
    'two ways of writing',
    ['01', '2', '10'],
    Array.from({ length: 10 }, (__, at) => String(at + 1).padStart(2, '0')),
    [
      'are written in two ways, some as labels.classes has them ("01") and others as numbers ("2"): write all alike',
      'names',
      'index',
    ],
  ],
  [
    'from 0 or from 1',
    ['1', '2'],
    PETS,
    ['are numbers without 0 ("1", "2"), which could count from 0 or from 1', 'index', 'index-from-1'],
  ],
  [
    'up to the count',
    ['1', '3'],
    PETS,
    ['are numbers up to 3, as many as labels.classes lists, without 0', 'index-from-1'],
  ],
  [
    'from 0 up to the count',
    ['0', '3'],
    PETS,
    [
      'are numbers from 0 to 3, and labels.classes lists 3: correct them, or list all classes',
      'index',
      'index-from-1',
    ],
  ],
  [
    'names and places',
    ['cat', '1'],
    PETS,
    [
      'are mixed, some are names of labels.classes ("cat") and others numbers ("1"): write all as names',
      'index',
      'index-from-1',
    ],
  ],
  [
    'numbers of another list',
    ['17', '20'],
    PETS,
    [
      'are numbers such as "17", "20", which are neither names of labels.classes nor places among its 3: write names',
    ],
  ],
  [
    'measurements',
    ['151.0', '75.5', '141.25'],
    PETS,
    [
      "are 2 different numbers such as 75.5, which are no classes: regression isn't judged, so set labels.truth to null to predict only",
    ],
  ],
])('refused: %s', (_, labels, classes, wanted) => {
  expect(read(labels, classes)).toEqual(wanted);
});

test('labels.numbers settles what could be read in two ways', () => {
  expect(read(['1', '2'], ONE_TO_THREE, 'names')).toEqual(['1 → 1', '2 → 2']);
  expect(read(['1', '2', '3'], ONE_TO_THREE, 'index')).toEqual(['1 → 2', '2 → 3', '3 → no class']);
  expect(read(['0', '1', '3', 'dog'], PETS, 'index-from-1')).toEqual([
    '0 → no class',
    '1 → cat',
    '3 → bird',
    'dog → dog',
  ]);
});

test('the two readings are offered with their classes', () => {
  expect(readLabels(new Map([['1', 4]]), { classes: ONE_TO_THREE, numbers: null })).toMatchObject({
    offers: [
      { numbers: 'names', means: '1 is "1"' },
      { numbers: 'index', means: '1 is "2"' },
    ],
  });
});

test.each([
  ['Bird ', 'bird'],
  ['new-york', 'New York'],
  ['brid', 'bird'],
  ['cot', undefined],
  ['11', undefined],
])('did you mean: %s is near %s', (label, near) => {
  expect(nearestClass(label, ['bird', 'New York', 'cat', '1'])).toBe(near);
});
