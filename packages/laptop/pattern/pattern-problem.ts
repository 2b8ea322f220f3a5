/** An invalid pattern. Callers give it the error code of their API. */
export class PatternProblem extends Error {
  constructor(path: string, problem: string) {
    super(path === '' ? problem : `${path}: ${problem}`);
    this.name = 'PatternProblem';
  }
}
