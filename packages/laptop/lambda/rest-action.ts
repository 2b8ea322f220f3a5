import type { RestAnswer } from '../kernel/rest-answer.ts';
import type { ServiceRequest } from '../kernel/service.ts';

/** One REST call; AWS's model has its method and path. */
export interface RestAction {
  readonly operation: string;
  /** @param labels the parts of the path by their names in the model, as in `FunctionName` */
  answer(labels: Readonly<Record<string, string>>, request: ServiceRequest): Promise<RestAnswer> | RestAnswer;
}
