import type { BusEvent } from '../../kernel/ports.ts';
import type { EndpointRecord, EndpointStatus } from './endpoint-record.ts';
import { toVariantSummary } from './variant-summary.ts';

const EVENT_STATUS: Readonly<Record<EndpointStatus, string>> = {
  Creating: 'CREATING',
  InService: 'IN_SERVICE',
  Updating: 'UPDATING',
  RollingBack: 'ROLLING_BACK',
  Deleting: 'DELETING',
  Failed: 'FAILED',
};

/** `SageMaker Endpoint State Change`: the status in upper case, times in epoch milliseconds. */
export function toEndpointEvent(endpoint: EndpointRecord): BusEvent {
  const { name, arn, status, failureReason, content, tags, creationTimeMs, lastModifiedTimeMs } = endpoint;
  return {
    source: 'aws.sagemaker',
    'detail-type': 'SageMaker Endpoint State Change',
    resources: [arn],
    timeMs: lastModifiedTimeMs,
    detail: {
      EndpointName: name,
      EndpointArn: arn,
      EndpointConfigName: content.configName,
      ProductionVariants: content.variants.map(toVariantSummary),
      EndpointStatus: EVENT_STATUS[status],
      ...(failureReason === undefined ? {} : { FailureReason: failureReason }),
      CreationTime: creationTimeMs,
      LastModifiedTime: lastModifiedTimeMs,
      Tags: Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])),
    },
  };
}
