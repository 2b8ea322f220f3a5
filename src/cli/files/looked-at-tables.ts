import { isTar } from '../../drop/tar-key.ts';
import { fileKind } from '../../file-kind/file-kind.ts';
import { unpackedHead } from '../../file-kind/unpacked-head.ts';
import { shownPlace } from '../../input/shown-place.ts';
import { judgeHead } from '../../table/judge-head.ts';
import type { TableColumns } from '../../table/table-columns.ts';

/** Titles that a note names. */
const MAX_NAMED = 8;

/** Tables that are about to be dropped, as far as their first bytes tell how the plan of their run will open them. */
export class LookedAtTables {
  readonly #columns: TableColumns;
  /** Why tables can't be opened, each with its name: the run would be refused. */
  readonly refused: string[] = [];
  readonly notes: string[] = [];

  constructor(columns: TableColumns) {
    this.#columns = columns;
  }

  async add(name: string, head: Uint8Array, sizeBytes: number): Promise<void> {
    // A run tells a tar by name, and the index of Parquet lies at the end of its file.
    if (isTar(name) || fileKind({ head, sizeBytes }) === 'parquet') return;
    const unpacked = await unpackedHead(head);
    const isWhole = unpacked === undefined && head.length === sizeBytes;
    const judged = await judgeHead(unpacked ?? head, this.#columns, isWhole);
    if (judged.refusal !== undefined) this.refused.push(`${name} ${judged.refusal}`);
    if (judged.unknown.length > 0)
      this.notes.push(
        `${name} has columns that pipeline.json doesn't name, and they are not sent: ${judged.unknown
          .slice(0, MAX_NAMED)
          .map((title) => JSON.stringify(title))
          .join(', ')}${judged.unknown.length > MAX_NAMED ? ', …' : ''}`,
      );
    if (judged.defect !== undefined) {
      const { index: recordIndex, line, id, defect } = judged.defect;
      this.notes.push(`${shownPlace({ key: name, recordIndex, line, id })} ${defect}. It counts as an error`);
    }
  }
}
