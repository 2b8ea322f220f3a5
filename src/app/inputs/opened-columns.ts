import { essenceOf } from '../../api/media-type.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { opensFiles } from '../../transform/one-record.ts';
import type { IndexSettings } from '../records/tars.ts';

type Settings = Pick<PipelineConfig, 'columns' | 'labels' | 'transform'>;

/** The columns of the tables that a pipeline opens; null if it sends files as they are. */
export function openedColumns({ columns, labels: { truth }, transform }: Settings) {
  return (
    columns && {
      ...columns,
      label: truth?.from === 'column' ? truth.column : null,
      sends: essenceOf(transform.contentType) === 'text/csv' ? ('csv' as const) : ('json' as const),
    }
  );
}

/** How files are opened as tables; null if they are sent as they are. */
export function tableSettings(config: Settings): IndexSettings['table'] {
  const { columns, transform, labels } = config;
  const { truth } = labels;
  if (!opensFiles({ ...transform, columns })) return null;
  const opened = openedColumns(config);
  if (opened !== null) return opened;
  const essence = essenceOf(transform.contentType);
  return {
    notation: essence === 'text/csv' ? 'csv' : essence.includes('json') ? 'json' : 'text',
    filter: transform.inputFilter,
    truth: truth?.from === 'record' ? truth.path : null,
  };
}
