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
