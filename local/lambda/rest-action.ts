import type { ServiceRequest } from '../gateway/service.ts';

/** What a REST call answers. */
export interface RestAnswer {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object goes out as JSON. */
  readonly body?: Buffer | Readonly<Record<string, unknown>>;
}

/** One REST call: its method, its path with the parts it takes as named groups, and what it does. */
export interface RestAction {
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  answer(parts: Readonly<Record<string, string>>, request: ServiceRequest): Promise<RestAnswer> | RestAnswer;
}
