import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import type { Axis, Candidate } from '../../probe/climb.ts';
import { resolvePayload } from '../../transform/payload.ts';

/** Batch transform takes at most 100 MB in flight on an instance. */
const MAX_MB = 100;

/** Candidates of a probe, one an instance type: they vary the concurrency and then, if records travel together, the payload. */
export function probeCandidates(
  { transform }: PipelineConfig,
  instanceTypes: readonly string[],
  largestBytes: number,
): Candidate[] {
  const { maxPayloadInMB } = resolvePayload(transform, largestBytes);
  const requests: Axis = {
    field: 'maxConcurrentTransforms',
    most: () => Math.floor(MAX_MB / maxPayloadInMB),
  };
  const payload: Axis = {
    field: 'maxPayloadInMB',
    most: (settings) => Math.floor(MAX_MB / settings.maxConcurrentTransforms),
  };
  const isJoined =
    !['None', 'Line'].includes(transform.splitType) && transform.batchStrategy === 'MultiRecord';
  return instanceTypes.map((type) => ({
    name: type,
    first: {
      instanceTypes: [type],
      maxConcurrentTransforms: 1,
      ...(isJoined && { maxPayloadInMB }),
    },
    axes: isJoined ? [requests, payload] : [requests],
  }));
}
