/**
 * The command line is right, and what it asks for cannot be done as things are: shown without a stack trace, exit code 1.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
