import type { Readable } from 'node:stream';
import type { Permission } from './permission.ts';

/** Ports through which services of the stack reach each other, in process. Each is handed in; no service imports its neighbor. */

/** An event as its source knows it; the bus adds id, account and region. */
export interface BusEvent {
  readonly source: string;
  readonly 'detail-type': string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly resources?: readonly string[];
  /** Milliseconds since the epoch; now, if absent. */
  readonly timeMs?: number;
}

/** The default event bus, as AWS services use it. */
export interface EventBus {
  /** Resolves when the event is on disk: the end of the stack does not lose it any more. */
  put(event: BusEvent): Promise<void> | void;
}

/** The answer of a function, as Invoke gives it. */
export interface InvokeResult {
  readonly payload: Buffer;
  /** Present when the function threw, timed out or died; `payload` is then `{errorType, errorMessage, trace}`. */
  readonly functionError?: 'Unhandled';
  readonly requestId: string;
  /** The last 4 KiB of the invocation's log, assembled on demand. */
  readonly logTail?: () => Buffer;
}

/** Lambda as the services next to it use it. */
export interface FunctionInvoker {
  /** Waits for the answer. `target` is a name or an ARN, with or without qualifier. */
  invoke(target: string, payload: Buffer): Promise<InvokeResult>;
  /** Queues the event: two retries, then the failure destination. Resolves when it is on disk. */
  invokeLater(target: string, payload: Buffer): Promise<void> | void;
}

/** SQS as the services next to it use it; attributes are of type String. */
export interface QueueSender {
  send(queueArn: string, body: string, attributes?: Readonly<Record<string, string>>): Promise<void>;
}

/** SNS as the services next to it use it; attributes are of type String. */
export interface TopicPublisher {
  /** The permissions that publishing requires of its caller. @throws {AwsError} `NotFound` */
  permissions(topicArn: string): readonly Permission[];
  publish(
    topicArn: string,
    message: {
      readonly body: string;
      readonly subject?: string;
      readonly attributes?: Readonly<Record<string, string>>;
    },
  ): Promise<void>;
}

/** Step Functions as the services next to it use it. `input` is JSON text; without a name the execution gets a random one. */
export interface ExecutionStarter {
  start(stateMachineArn: string, input: string, name?: string): Promise<{ readonly executionArn: string }>;
}

/** CloudWatch Logs as the services next to it use it: groups and streams that are missing are made. */
export interface LogWriter {
  write(group: string, stream: string, message: string): void;
}

/** The current version of an object. */
export interface StoredObject {
  readonly key: string;
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  readonly lastModifiedMs: number;
  readonly versionId?: string;
}

/** S3 as the services next to it use it, without HTTP or signatures. */
export interface ObjectAccess {
  hasBucket(bucket: string): boolean;
  /** In UTF-8 byte order. */
  list(bucket: string, prefix: string): Iterable<StoredObject>;
  head(bucket: string, key: string): StoredObject | undefined;
  read(bucket: string, key: string): Promise<Buffer | undefined>;
  readStream(bucket: string, key: string): Promise<Readable | undefined>;
  /**
   * Fires the same events as an upload through the API (`CompleteMultipartUpload` for SageMaker's outputs). A body that comes
   * in pieces goes to the disk as it comes; if it breaks off, nothing is stored and its error is thrown.
   */
  write(
    bucket: string,
    key: string,
    body: Buffer | AsyncIterable<Buffer>,
    options?: { readonly contentType?: string; readonly reason?: 'PutObject' | 'CompleteMultipartUpload' },
  ): Promise<StoredObject>;
  /** Deletes like the API's DeleteObject: with a delete marker where the bucket has versions. */
  delete(bucket: string, key: string): Promise<void>;
  /** Deletes what `write` stored, without a delete marker: what lay under the key before is current again. */
  remove(bucket: string, written: StoredObject): Promise<void>;
}

/** CloudWatch metrics as AWS services write them. */
export interface MetricWriter {
  /** One value for each metric named, all of one set of dimensions and of this moment. */
  put(
    namespace: string,
    dimensions: Readonly<Record<string, string>>,
    values: Readonly<Record<string, number>>,
  ): void;
}

/** CloudWatch alarms as services that watch them see them. */
export interface AlarmStates {
  /** Undefined if there is no such alarm. */
  stateOf(alarmName: string): 'OK' | 'ALARM' | 'INSUFFICIENT_DATA' | undefined;
}

/** CloudWatch alarms as services that they act on see them. */
export interface AlarmActions {
  /** Whether an alarm with this action, by its ARN, is in ALARM. */
  isRinging(actionArn: string): boolean;
}

/** Copies of SageMaker's inference components, as Application Auto Scaling sees and sets them. */
export interface CopyCounts {
  /** Copies that a component is to have; undefined if there is no such component. */
  desired(componentName: string): number | undefined;
  /** Time since its last invocation, or since it had its copies. */
  unusedMs(componentName: string): number;
  /** Without effect while the component is on its way to another status. */
  set(componentName: string, copies: number): void;
}
