import type { AwsError } from '../kernel/aws-error.ts';
import type { Finding } from './finding.ts';
import type { ServiceModel } from './model.ts';

/** A request as a call that AWS's service model describes. */
export interface ModeledCall {
  readonly model: ServiceModel;
  /** Name in the API reference. */
  readonly operation: string;
  /** The parts of a REST path, by their names in the model. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Where they are not the request's own: a presigned address carries headers in its query. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The code for a violated constraint; by default the protocol's. */
  readonly validationCode?: string | undefined;
  /** The error in the service's own wording; undefined if its wording is the usual one. */
  readonly toRefusal?: ((findings: readonly Finding[]) => AwsError | undefined) | undefined;
}

/** The parts of a request from which a call is read. */
export interface CallSource {
  readonly query: URLSearchParams;
  readonly form: URLSearchParams | undefined;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  body(): Promise<Buffer>;
}
