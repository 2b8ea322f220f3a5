import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sampleTable } from '../../../src/cli/init/sample-table.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function sampled(body: string | Buffer, isCsv = true) {
  const file = path.join(temporaryFolder('sample'), 'table');
  await writeFile(file, body);
  return sampleTable({ file, relative: 'table', sizeBytes: Buffer.byteLength(body) }, isCsv);
}

test('titles longer than a beginning tell the delimiter', async () => {
  const cells = (of: (at: number) => string) => Array.from({ length: 9_000 }, (_, at) => of(at)).join(';');
  const rows = Array.from({ length: 4 }, (_, row) => cells((at) => `${row}.${at}`));
  const table = await sampled([cells((at) => `gene_${at}`), ...rows, ''].join('\n'));
  expect(table).toMatchObject({ what: 'CSV, ";" between cells, a row of titles', records: 4 });
  expect(table?.titles).toHaveLength(9_000);
});

test('the numbers that pandas writes above columns without names are titles, as the opener of a run takes them', async () => {
  const table = await sampled('0,1,2\n1.5,2.5,3.5\n4.5,5.5,6.5\n');
  expect(table).toMatchObject({ titles: ['0', '1', '2'], records: 2 });
});

test('a file that gzip cannot unpack to its end is refused by name, and is no table unless its name says so', async () => {
  const whole = gzipSync(Array.from({ length: 20_000 }, () => `${Math.random()},1\n`).join(''));
  const cut = whole.subarray(0, 9_000);
  await expect(sampled(cut)).rejects.toThrow(
    /^table: cannot be unzipped to its end \(.+\): take the whole file$/,
  );
  expect(await sampled(cut, false)).toBeUndefined();
});

test.each([
  ['a.csv', 'size,kind\n1,tea\n2,café\n'],
  ['a.jsonl', '{"size":1,"kind":"tea"}\n{"size":2,"kind":"tea"}\n{"size":3,"kind":"café"}\n'],
])(
  'a table that is not UTF-8 is refused with its line: a class would have another name, %s',
  async (name, text) => {
    const lines = text.split('\n').findIndex((line) => line.includes('é')) + 1;
    await expect(sampled(Buffer.from(text, 'latin1'), name.endsWith('csv'))).rejects.toThrow(
      `table: line ${lines} is not UTF-8: save the file as CSV UTF-8`,
    );
    expect(await sampled(text, name.endsWith('csv'))).toBeDefined();
  },
);
