/** Values by the start of their period; a period without a value is left out. */
export type Series = ReadonlyMap<number, number>;

/**
 * Evaluates metric math such as `SUM([errors, -planned])`: `+` and `-` of series, and `SUM` of a list or of `METRICS()`. As in
 * CloudWatch, `SUM` has a value if one of its series has, an operator only if both sides have.
 *
 * @throws {SyntaxError} if the expression holds anything else
 */
export function evaluateMath(expression: string, metrics: ReadonlyMap<string, Series>): Series {
  const tokens = expression.match(/\w+|\S/g) ?? [];
  const refuse = (token = 'an early end'): never => {
    throw new SyntaxError(`${token} in "${expression}" is metric math that this stack does not evaluate`);
  };
  const need = (...wanted: readonly string[]): void => {
    for (const token of wanted)
      if (tokens[0] === token) tokens.shift();
      else refuse(tokens[0]);
  };
  const series = (): Series => {
    let left = term();
    while (tokens[0] === '+' || tokens[0] === '-') {
      const sign = tokens.shift() === '+' ? 1 : -1;
      const right = term();
      left = new Map(
        [...left].flatMap(([time, value]) => {
          const other = right.get(time);
          return other === undefined ? [] : [[time, value + sign * other]];
        }),
      );
    }
    return left;
  };
  const term = (): Series => {
    const token = tokens.shift();
    if (token === '-') return new Map([...term()].map(([time, value]) => [time, -value]));
    if (token !== 'SUM') return metrics.get(token ?? '') ?? refuse(token);
    need('(');
    const all = list();
    need(')');
    return sumOf(all);
  };
  const list = (): readonly Series[] => {
    if (tokens[0] === 'METRICS') {
      need('METRICS', '(', ')');
      return [...metrics.values()];
    }
    need('[');
    const all = [series()];
    while (tokens[0] === ',') {
      need(',');
      all.push(series());
    }
    need(']');
    return all;
  };
  const result = series();
  return tokens.length === 0 ? result : refuse(tokens[0]);
}

function sumOf(all: readonly Series[]): Series {
  const sums = new Map<number, number>();
  for (const one of all) for (const [time, value] of one) sums.set(time, (sums.get(time) ?? 0) + value);
  return sums;
}
