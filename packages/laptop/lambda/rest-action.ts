import type { RestAnswer } from '../kernel/rest-answer.ts';
import type { ServiceRequest } from '../kernel/service.ts';

/** One REST call; its method and path are those of AWS's model. */
export interface RestAction {
  readonly operation: string;
  /** @param labels the parts of the path by their names in the model, as in `FunctionName` */
  answer(labels: Readonly<Record<string, string>>, request: ServiceRequest): Promise<RestAnswer> | RestAnswer;
}
