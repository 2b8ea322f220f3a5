import type { Row } from '../../scripts/role-writes.ts';

const FOLDERS: Readonly<Record<Row['kind'], string>> = {
  inference: 'incoming/PIPELINE/DROP/',
  training: 'training/PIPELINE/DROP/',
  evaluation: 'pipelines/PIPELINE/evaluation/DROP/',
};

/** What stands in the places of a row's key: of its run, whose drop has no `@`, and `name`, `number` and `list` for all others. */
export interface Filling {
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
