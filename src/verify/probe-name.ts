/** The pipeline whose folders a verification uses, and empties; users name theirs otherwise. */
export const VERIFY_PIPELINE = 'inferdrop-verify';

/** Ids of verifications: in capitals, which no stage has. */
const ID = /^V[0-9A-F]{7}$/;

/** Name of what a verification creates: `verify-<stack>-<id>` and what it is for; at most 63 characters. */
export function toProbeName(stackName: string, id: string, purpose?: string): string {
  return ['verify', stackName, id, ...(purpose === undefined ? [] : [purpose])].join('-');
}

/** Whether a verification of this stack, and of no stack whose name begins alike, has created what has this name. */
export function isProbeName(stackName: string, name: string): boolean {
  const prefix = toProbeName(stackName, '');
  return name.startsWith(prefix) && ID.test(name.slice(prefix.length).split('-')[0] ?? '');
}
