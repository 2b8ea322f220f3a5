import type { ServiceRequest } from '../kernel/service.ts';

/** What a REST call answers. */
export interface RestAnswer {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object goes out as JSON. */
  readonly body?: Buffer | Readonly<Record<string, unknown>>;
}

/** One REST call; its method and path are those of AWS's model. */
export interface RestAction {
  readonly operation: string;
  /** @param labels the parts of the path by their names in the model, as in `FunctionName` */
  answer(labels: Readonly<Record<string, string>>, request: ServiceRequest): Promise<RestAnswer> | RestAnswer;
}
