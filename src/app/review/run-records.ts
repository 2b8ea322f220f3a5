import { cellText } from '@inferdrop/table/cells';
import { csvRows } from '@inferdrop/table/csv-rows';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { csvCell } from '../../report/table/csv-table.ts';
import { placeOfRow, readRows } from '../../report/table/read-rows.ts';
import type { Candidate } from '../../review/choose-tasks.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';

/** A predicted record of a run. */
export interface RunRecord extends Candidate {
  readonly label: string | null;
  readonly predicted: string;
}

/** The predicted records of a run, a row group at a time; those in suspect-labels.csv are suspect. */
export async function* runRecords(store: ObjectStore, run: RunParts): AsyncGenerator<readonly RunRecord[]> {
  const suspects = suspectPlaces((await store.readText(bucketLayout.suspectLabels(run))) ?? '');
  for await (const { key: file } of store.list(bucketLayout.rowsFolder(run))) {
    const bytes = await store.readBytes(file);
    if (bytes === undefined) continue;
    for await (const rows of readRows(bytes))
      yield rows.flatMap((row) => {
        const { truth: label, prediction, score, correct } = row;
        if (prediction === null) return [];
        const place = placeOfRow(row);
        return [
          {
            ...place,
            label,
            predicted: prediction,
            wrong: correct === false,
            right: correct === true,
            score: score !== null && Number.isFinite(score) ? score : null,
            suspect: suspects.has(nameOf(cellText(csvCell(place.key)), String(place.recordIndex))),
          },
        ];
      });
  }
}

/** The records that suspect-labels.csv lists, by their keys as it writes them. */
function suspectPlaces(csv: string): ReadonlySet<string> {
  const [, ...rows] = csvRows(csv);
  return new Set(
    rows.map(({ cells }) => {
      const [key = '', recordIndex = ''] = cells.map(cellText);
      return nameOf(key, recordIndex);
    }),
  );
}

function nameOf(key: string, recordIndex: string): string {
  return `${recordIndex}\n${key}`;
}
