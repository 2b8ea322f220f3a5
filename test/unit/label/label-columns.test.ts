import { expect, test } from 'vitest';
import { delimiterOf, NamedInputs } from '../../../src/label/label-columns.ts';

const INPUTS = ['a.png', 'b.png', 'deep/c.png', '1.png', '2.png'];

function columnsOf(text: string, classes: readonly string[], column: string | null = null) {
  const lines = text.split('\n');
  const head = lines.map((line) => line.split(delimiterOf(lines[0] ?? '')));
  const named = new NamedInputs(head, (cell) => cell);
  for (const input of INPUTS) named.add(input);
  const chosen = named.decide({ classes, column, fields: ['site'] });
  return 'refusal' in chosen ? chosen.refusal : `${chosen.words}${chosen.suffix}`;
}

const PETS = ['cat', 'dog'];
const MIXED = ['1', 'dog', '3', 'bird'];

test.each([
  ['a title that is not known', 'photo,species\na.png,cat', PETS, 'columns "photo" and "species"'],
  ['no header', 'a.png,cat\nb.png,dog', PETS, 'columns 1 and 2'],
  ['the label first', 'dog,a.png\ncat,b.png', PETS, 'columns 2 and 1'],
  [
    'row numbers of pandas, and a column of slices',
    ',photo,site,species\n0,a.png,x,cat',
    PETS,
    'columns "photo" and "species"',
  ],
  [
    'keys without their extension',
    'id_code,diagnosis\na,cat\nb,dog',
    PETS,
    'columns "id_code" and "diagnosis".png',
  ],
  [
    'numbers that name inputs and are labels, too',
    'ImageId,Label\n1,1\n2,1\n3,0',
    ['0', '1'],
    'columns "ImageId" and "Label".png',
  ],
  ['blanks between the cells', 'a.png 17\nb.png 4', PETS, 'columns 1 and 2'],
  ['the only column with names of classes', 'TEST,a.png,cat\nTEST,b.png,dog', PETS, 'columns 2 and 3'],
  [
    'columns of the classes',
    'photo,dog,cat\na.png,0,1\nb.png,1,0',
    PETS,
    'columns "photo" and one of each class',
  ],
])('%s', (_, text, classes, words) => {
  expect(columnsOf(text, classes)).toBe(words);
});

test.each([
  [
    'a number that is a class and a text that is none',
    'a.png,0,DOG\nb.png,1,DOG',
    MIXED,
    'has no header and 3 columns: write a row of titles, one of them "label"',
  ],
  [
    'a vague title next to another column',
    'photo,y,species\na.png,1,cat',
    PETS,
    'has columns "y" and "species" that could both be the label: name one in labels.truth.column',
  ],
  [
    'two columns of names',
    'photo,old,new\na.png,cat,dog\nb.png,dog,cat',
    PETS,
    'has the columns "photo", "old", "new", and none is called "label": name the one that is in labels.truth.column',
  ],
  [
    'two columns of inputs',
    'one,other,label\na.png,b.png,cat\nb.png,a.png,dog',
    PETS,
    'has columns "one" and "other" that both name inputs: keep one, or call it "key"',
  ],
  [
    'no column of inputs',
    'photo,site,species\nx.png,1,cat\ny.png,2,dog',
    PETS,
    'has no column that names inputs of the drop; a row is ["x.png","1","cat"]',
  ],
])('refused: %s', (_, text, classes, refusal) => {
  expect(columnsOf(text, classes)).toBe(refusal);
});

test('labels.truth.column names the label, and must be there once', () => {
  expect(columnsOf('photo,old,new\na.png,cat,dog', PETS, 'new')).toBe('columns "photo" and "new"');
  expect(columnsOf('photo,old,new\na.png,cat,dog', PETS, 'newest')).toBe(
    'must have the column "newest" of labels.truth.column once; it has "photo", "old", "new"',
  );
});
