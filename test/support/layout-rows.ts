import { toRoleId } from '../../scripts/generated-roles.ts';
import { type Row, ROWS } from '../../scripts/role-writes.ts';
import { CANARY_PIPELINE } from '../../src/app/verify/probe/name.ts';

const FOLDERS: Readonly<Record<Row['kind'], string>> = {
  inference: 'incoming/PIPELINE/DROP/',
  training: 'training/PIPELINE/DROP/',
  evaluation: 'pipelines/PIPELINE/evaluation/DROP/',
};

/** Texts for the places of a row's key: those of its run, whose drop has no `@`, and `name`, `number` and `list` for all others. */
interface Filling {
  readonly pipeline: string;
  readonly drop: string;
  readonly generation: string;
  readonly list: string;
  readonly number: string;
  readonly name: string;
}

/** A key of the row, without what follows it in an open one. */
export function fillRow({ key, kind }: Pick<Row, 'key' | 'kind'>, filling: Filling): string {
  const { pipeline, generation } = filling;
  const prefix = kind === 'training' ? 'training/' : '';
  const drop = `${prefix}${pipeline}/${kind === 'evaluation' ? '@' : ''}${filling.drop}`;
  const places: Readonly<Record<string, string>> = {
    pipeline,
    drop,
    generation,
    run: `${drop}/${generation}`,
    dropFolder: FOLDERS[kind].replace('PIPELINE', pipeline).replace('DROP', filling.drop),
    kind: prefix,
    list: filling.list,
  };
  return key.template.replaceAll(
    /\{([^}]+)\}/g,
    (_, place: string) => places[place] ?? (place.includes(':') ? filling.number : filling.name),
  );
}

/** Matches the keys of a row, and no others; pipelines' names are no names of kinds. */
export function rowMatcher(row: Pick<Row, 'key' | 'kind'>): RegExp {
  const text = fillRow(
    { ...row, key: { ...row.key, template: row.key.template.replaceAll('.', '\\.') } },
    {
      pipeline: '(?!training/)[^/]+',
      drop: '[^/]+',
      generation: '\\d{6}\\w*',
      list: '(?:parts|jobs)/\\d+',
      number: '\\d+',
      name: '[^/]+',
    },
  );
  return new RegExp(`^${text}${row.key.isOpen ? '.*' : ''}$`);
}

/** A role that writes or deletes a row's document. */
export interface RowWriter {
  readonly row: Row;
  readonly role: string;
  readonly action: 's3:PutObject' | 's3:DeleteObject';
}

/** Every role of every row, and what it does there. */
export const ROW_WRITERS: readonly RowWriter[] = ROWS.flatMap((row) => [
  ...row.writers
    .filter((name) => name !== 'people')
    .map((name) => ({ row, role: toRoleId(name), action: 's3:PutObject' as const })),
  ...row.deleters.map((name) => ({ row, role: toRoleId(name), action: 's3:DeleteObject' as const })),
]);

/** The one key that stands for all that a role writes or deletes as documents of a row. */
export function exampleOf({ row, role }: RowWriter): string {
  const pipeline = role === 'CanaryRole' ? CANARY_PIPELINE : 'a-pipeline';
  const names = { drop: 'a-drop', generation: '000001', list: 'parts/1', number: '1', name: 'a' };
  return `${fillRow(row, { pipeline, ...names })}${row.key.isOpen ? 'a' : ''}`;
}
