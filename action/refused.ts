/** A request that the action does not judge: its message is the comment. */
export class Refused extends Error {
  override readonly name = 'Refused';
}
