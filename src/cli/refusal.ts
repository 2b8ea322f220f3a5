/** The command line is right, but the request cannot be carried out as things are: shown without a stack trace, exit code 1. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
