import { isJsonArray, type Json, NotJson, toJson } from '../json.ts';
import { errorName, StatesError } from '../states-error.ts';
import { type CompiledExpression, describeJsonataError, expressionIn } from './compile.ts';

/** An expression failed; the engine writes an `EvaluationFailed` event from it. */
export class EvaluationError extends StatesError {
  /** Field of the state, as in `Output/total`. */
  readonly location: string;

  constructor(location: string, source: string, problem: string) {
    super(
      errorName.queryEvaluationError,
      `The JSONata expression '${source}' specified for the field '${location}' ${problem}`,
    );
    this.location = location;
  }
}

/**
 * Gives a template's value. `location` is the place of the template in its state, as in `Arguments`, for messages.
 *
 * @throws {EvaluationError}
 */
export type Evaluator = (template: Json, location: string, bindings: Bindings) => Promise<Json>;

/** `states` and the variables, without their dollar sign. */
export type Bindings = Readonly<Record<string, unknown>>;

/** Evaluates every `{% … %}` in a template, depth first; all else stays as it is. */
export function templateEvaluator(compile: (source: string) => CompiledExpression): Evaluator {
  const evaluateSource = async (source: string, location: string, bindings: Bindings): Promise<Json> => {
    let result: unknown;
    try {
      result = await compile(source)(bindings);
    } catch (error) {
      throw new EvaluationError(
        location,
        source,
        `threw an error during evaluation. ${describeJsonataError(error)}`,
      );
    }
    if (result === undefined) throw new EvaluationError(location, source, 'returned nothing (undefined).');
    try {
      return toJson(result);
    } catch (error) {
      if (!(error instanceof NotJson)) throw error;
      throw new EvaluationError(location, source, `returned an unsupported result type (${error.message}).`);
    }
  };

  const evaluate: Evaluator = async (template, location, bindings) => {
    if (typeof template === 'string') {
      const source = expressionIn(template);
      return source === undefined ? template : evaluateSource(source, location, bindings);
    }
    if (isJsonArray(template)) {
      const items: Json[] = [];
      for (const [index, item] of template.entries())
        items.push(await evaluate(item, `${location}[${index}]`, bindings));
      return items;
    }
    if (template !== null && typeof template === 'object') {
      const members: [string, Json][] = [];
      for (const [key, member] of Object.entries(template))
        members.push([key, await evaluate(member, `${location}/${key}`, bindings)]);
      return Object.fromEntries(members);
    }
    return template;
  };
  return evaluate;
}
