import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ChunkSigning } from '../gateway/signing-key.ts';
import type { ModeledCall } from '../service-model/call.ts';
import type { Clock } from './clock.ts';
import type { Permission } from './permission.ts';

/** Account and region of every resource of the stack. */
export interface Site {
  readonly account: string;
  readonly region: string;
  readonly partition: string;
  /** `http://127.0.0.1:<port>`; known once the gateway listens. */
  readonly endpoint: () => string;
}

/** Dependencies of every service that keeps something. */
export interface ServiceBase {
  /** Folder of this service only; it need not exist. */
  readonly dir: string;
  readonly site: Site;
  readonly clock: Clock;
}

/** A request behind the gateway. */
export interface ServiceRequest {
  readonly method: string;
  /** Path as on the wire, percent-encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The parameters of a `POST /` form, which is how Query protocol calls arrive; undefined for anything else. */
  readonly form: URLSearchParams | undefined;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Reads the whole body once; the same promise on each call. */
  body(): Promise<Buffer>;
  /** The wire itself, for services that stream. */
  readonly incoming: IncomingMessage;
  readonly requestId: string;
  /** The signature has been verified by the gateway; undefined for an anonymous request. */
  readonly accessKeyId: string | undefined;
  /** The service in the signature's scope, as in `s3`, `states`, `sagemaker`; undefined for an anonymous request. */
  readonly signingService: string | undefined;
  /** For bodies with chunks that are signed one by one; undefined for an anonymous request. */
  readonly chunkSigning: ChunkSigning | undefined;
}

/** One AWS service behind the gateway. `match` says which requests are its own; the first service that matches answers. */
export interface Service {
  /** Name of the folder in `packages/laptop/`, shown when the stack comes up. */
  readonly name: string;
  match(request: ServiceRequest): boolean;
  /** Permissions that a caller with a role needs; a service that does not say lets no role in. */
  permissions?(request: ServiceRequest): Promise<readonly Permission[]> | readonly Permission[];
  /** Permissions that the policy of a resource may deny to all principals, including the account's owner; none by default. */
  ownerPermissions?(request: ServiceRequest): Promise<readonly Permission[]> | readonly Permission[];
  /** The request in terms of AWS's own model, which the gateway checks it against; undefined if the service does its own refusing. */
  callOf(request: ServiceRequest): ModeledCall | undefined;
  answer(request: ServiceRequest, response: ServerResponse): Promise<void>;
  /** Stops timers and workers, and flushes pending writes to disk. */
  close(): Promise<void>;
}

/** A request that the gateway has not looked into. */
export interface FrontRequest extends Omit<
  ServiceRequest,
  'accessKeyId' | 'chunkSigning' | 'form' | 'signingService'
> {
  /** Query on the wire, without `?`. */
  readonly rawQuery: string;
  /**
   * Verifies the request's Signature Version 4; undefined if it isn't signed.
   *
   * @throws {SignatureRefusal} if the signature is wrong
   */
  verifySignature(): Promise<{ readonly accessKeyId: string; readonly service: string } | undefined>;
}

/** An HTTP server of the stack's users behind the same port, with its own authorization and refusals. */
export interface Front {
  readonly largestBodyBytes: number;
  match(request: Pick<ServiceRequest, 'path' | 'headers'>): boolean;
  /** Whether its owner lets pages of that origin in (CORS). */
  allowsOrigin(request: Pick<ServiceRequest, 'path' | 'headers'>, origin: string): boolean;
  answer(request: FrontRequest, response: ServerResponse): Promise<void>;
}

/** Facts of a call that an action needs besides the input. */
export interface ActionContext {
  readonly requestId: string;
  /** Access key of the caller, after the signature was verified. */
  readonly accessKeyId: string;
}
