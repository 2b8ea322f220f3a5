import type { Permission } from '../kernel/permission.ts';
import type { ServiceRequest } from '../kernel/service.ts';
import type { ObjectStorage } from './store/object-storage.ts';
import type { Segment } from './store/object-version.ts';

/** One call of the S3 API: which requests are it, and what it does. Those on one kind of resource share a file in `actions/`. */
export interface S3Operation {
  /** Name in the API reference. */
  readonly name: string;
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly on: 'service' | 'bucket' | 'object';
  /** Query parameters that a request must have to be this call. */
  readonly needs?: readonly string[];
  /** A header that a request must have to be this call. */
  readonly needsHeader?: string;
  /** Further query parameters that the call understands. Any other is refused. */
  readonly allows?: readonly string[];
  /** The permissions that a role needs. A call that says nothing of them is refused to every role. */
  permissions?(call: S3Call, storage: ObjectStorage): Permission[] | Promise<Permission[]>;
  run(call: S3Call, storage: ObjectStorage): Promise<S3Answer> | S3Answer;
}

/** A request to S3, with its address taken apart. */
export interface S3Call {
  readonly request: ServiceRequest;
  /** Empty if the call is on the service. */
  readonly bucket: string;
  /** Decoded; empty if the call is on a bucket. */
  readonly key: string;
  readonly query: URLSearchParams;
  /** The request's headers, and those that a presigned URL carries in its query. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Answer of a call: headers, and at most one of a document, a text and an object's bytes. */
export interface S3Answer {
  /** 200 if absent. */
  readonly status?: number;
  /** Those that are undefined are left out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly xml?: string;
  readonly text?: string;
  /** The bytes of an object; the length is known. */
  readonly body?: { readonly segments: readonly Segment[]; readonly size: number };
}
