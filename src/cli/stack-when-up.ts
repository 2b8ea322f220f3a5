import type { StackDescription } from '../aws/account/stack.ts';

/** Looks at a stack that is still starting, a second apart. */
const LOOKS = 180;

/** An output of the application's template, which the stack lacks until the whole template is deployed. */
const OF_TEMPLATE = 'BucketName';

type Described = Pick<StackDescription, 'status' | 'outputs' | 'parameters'> | undefined;

/** How a stack is looked at. */
interface Looks {
  readonly describe: () => Promise<Described>;
  /** Names of all stacks of the stack on this machine; undefined in AWS. */
  readonly names: (() => Promise<readonly string[]>) | undefined;
  /** Called once, before the first wait. */
  readonly tell: () => void;
  readonly wait: () => Promise<void>;
}

/** Describes a stack, and waits for one that is still starting. */
export async function stackWhenUp({ describe, names, tell, wait }: Looks): Promise<Described> {
  for (let look = 0; ; look++) {
    const stack = await describe();
    if (look === LOOKS || !(await isStarting(stack, names))) return stack;
    if (look === 0) tell();
    await wait();
  }
}

/**
 * Whether a deployment is under way that has not been up before. On this machine, the first stack appears once it is
 * packaged, first with the bucket of its bundles only.
 */
async function isStarting(stack: Described, names: Looks['names']): Promise<boolean> {
  if (stack === undefined) return names !== undefined && (await names()).length === 0;
  if (stack.outputs.has(OF_TEMPLATE)) return false;
  return (
    /^(CREATE|UPDATE)_IN_PROGRESS$/.test(stack.status) ||
    (names !== undefined && stack.status === 'CREATE_COMPLETE')
  );
}
