/** The pipeline with folders that a verification uses and empties; a reserved name. */
export const VERIFY_PIPELINE = 'inferdrop-verify';
/** The pipeline of the stack's canary; a reserved name. */
export const CANARY_PIPELINE = 'inferdrop-canary';

/** Ids of verifications are in capitals, which stages never are. */
const ID = /^V[0-9A-F]{7}$/;

/** Name of a resource that a verification creates: `verify-<stack>-<id>` and its purpose; at most 63 characters. */
export function toProbeName(stackName: string, id: string, purpose?: string): string {
  return ['verify', stackName, id, ...(purpose === undefined ? [] : [purpose])].join('-');
}

/** Whether a verification of this very stack created the resource of this name; another stack's name may have the same beginning. */
export function isProbeName(stackName: string, name: string): boolean {
  const prefix = toProbeName(stackName, '');
  return name.startsWith(prefix) && ID.test(name.slice(prefix.length).split('-')[0] ?? '');
}
