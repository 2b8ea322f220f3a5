import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(import.meta.dirname, '..', '..', 'build', 'mutations');
const MAX_QUOTED_LENGTH = 300;

interface Row {
  readonly mistake: string;
  /** How it was seen: by a deployment, a call, a run; or not at all. */
  readonly seenBy: string;
  readonly said: string;
  /** Part of AWS's message, or why it says nothing. */
  readonly aws: string;
}

/** Collects what became of mistakes, for `npm run lab -- mutations` to print. */
export function mistakeTable(name: string) {
  const rows: Row[] = [];
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();
  return {
    add: (row: Omit<Row, 'aws'> & { readonly aws: string | RegExp }): void =>
      void rows.push({ ...row, aws: String(row.aws) }),
    write(): void {
      mkdirSync(FOLDER, { recursive: true });
      const lines = rows.map(
        ({ mistake, seenBy, said, aws }) =>
          `| ${[mistake, seenBy, said.slice(0, MAX_QUOTED_LENGTH), aws].map(cell).join(' | ')} |`,
      );
      writeFileSync(path.join(FOLDER, `${name}.md`), `${lines.join('\n')}\n`);
    },
  };
}
