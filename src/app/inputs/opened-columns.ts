import { essenceOf } from '../../api/media-type.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';

/** The columns of the tables that a pipeline opens; null if it sends files as they are. */
export function openedColumns({
  columns,
  labels: { truth },
  transform,
}: Pick<PipelineConfig, 'columns' | 'labels' | 'transform'>) {
  return (
    columns && {
      ...columns,
      label: truth?.from === 'column' ? truth.column : null,
      sends: essenceOf(transform.contentType) === 'text/csv' ? ('csv' as const) : ('json' as const),
    }
  );
}
