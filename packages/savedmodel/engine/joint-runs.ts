import type { NamedTensors } from '../savedmodel/servable-model.ts';
import { joinTensors, sliceRows } from './join-tensors.ts';
import type { ModelSession } from './model-session.ts';

/** Result of one call. */
export type CallResult = PromiseSettledResult<NamedTensors>;

/** Where onnxruntime gains little more from a larger batch. */
const MAX_ROWS = 8;
/** A batch size is trusted after its answers have matched the single rows' answers this often. */
const CONFIRMATIONS = 2;
/** One of so many trusted batches is also run one by one, since bits may depend on the numbers. */
const CHECKED_EACH = 64;
/** Models that take images of any size have one form for each size. */
const MAX_FORMS = 256;

interface Prepared {
  readonly index: number;
  readonly rows: number;
  readonly inputs: NamedTensors;
}

/** Which calls run jointly, and what becomes of it. */
export interface Joining {
  /** Whether the graph shows that rows are independent. */
  readonly mayJoin?: boolean;
  /** Learns of the rows of a batch that differed from its calls run one by one, after which calls of their form never run jointly again. */
  readonly onDifference?: (rows: number) => void;
}

/**
 * Runs calls that wait at the same time as one batch if the graph shows that their rows are independent. onnxruntime
 * may still order sums by the size of a batch: until batches of some form and size have agreed to the last bit with
 * their calls run one by one, those are the answers. Some later batches are checked as well. Calls of a form that ever
 * disagrees never run jointly again.
 */
export function createJointRuns(
  session: Pick<ModelSession, 'prepare' | 'infer'>,
  { mayJoin = true, onDifference = () => undefined }: Joining = {},
): (calls: readonly NamedTensors[]) => Promise<readonly CallResult[]> {
  const confirmed = new Map<string, number>();
  const apart = new Set<string>();
  let joined = 0;

  const runEach = (group: readonly Prepared[]): Promise<readonly CallResult[]> =>
    Promise.allSettled(group.map(({ inputs }) => session.infer(inputs)));

  const runJointly = async (group: readonly Prepared[]): Promise<readonly NamedTensors[] | undefined> => {
    const names = [...(group[0]?.inputs.keys() ?? [])];
    const joined = new Map(
      names.map((name) => [name, joinTensors(group.flatMap(({ inputs }) => inputs.get(name) ?? []))]),
    );
    const outputs = await session.infer(joined);
    const total = group.reduce((sum, { rows }) => sum + rows, 0);
    if ([...outputs.values()].some(({ shape }) => shape[0] !== total)) return undefined;
    let start = 0;
    return group.map(({ rows }) => {
      const end = start + rows;
      const own = new Map([...outputs].map(([name, tensor]) => [name, sliceRows(tensor, start, end)]));
      start = end;
      return own;
    });
  };

  const runGroup = async (form: string, group: readonly Prepared[]): Promise<readonly CallResult[]> => {
    if (apart.has(form) || group.length === 1) return runEach(group);
    const key = `${form} ${group.map(({ rows }) => rows).join('+')}`;
    const times = confirmed.get(key) ?? 0;
    const isTrusted = times >= CONFIRMATIONS;
    if (isTrusted && ++joined % CHECKED_EACH !== 0) {
      const answers = await runJointly(group).catch(() => undefined);
      // What fails one of them shall not fail the others.
      return answers === undefined
        ? runEach(group)
        : answers.map((value) => ({ status: 'fulfilled', value }));
    }
    const alone = await runEach(group);
    // Equal rows would hide that they know of each other.
    const isTelling = confirmed.size < MAX_FORMS && alone.every(succeeded) && !isSame(group[0], group[1]);
    if (isTelling) {
      const answers = await runJointly(group).catch(() => undefined);
      if (answers === undefined || !alone.every(({ value }, i) => hasSameBits(value, answers[i]))) {
        apart.add(form);
        onDifference(group.reduce((sum, { rows }) => sum + rows, 0));
      }
      confirmed.set(key, times + 1);
    }
    return alone;
  };

  return async (calls) => {
    if (!mayJoin)
      return Promise.allSettled(calls.map(async (feeds) => session.infer(await session.prepare(feeds))));
    const prepared = await Promise.allSettled(calls.map((feeds) => session.prepare(feeds)));
    const results: CallResult[] = [...prepared];
    for (const { form, group } of toGroups(prepared)) {
      const answers = await runGroup(form, group);
      answers.forEach((answer, place) => (results[group[place]?.index ?? -1] = answer));
    }
    return results;
  };
}

/** Calls with inputs that differ only in their rows, split when there would be too many rows. */
function toGroups(prepared: readonly CallResult[]): { readonly form: string; readonly group: Prepared[] }[] {
  const groups: { readonly form: string; readonly group: Prepared[]; rows: number }[] = [];
  prepared.forEach((result, index) => {
    if (result.status === 'rejected') return;
    const inputs = result.value;
    const sizes = new Set([...inputs.values()].map(({ shape }) => shape[0]));
    const rows = sizes.size === 1 ? ([...sizes][0] ?? 0) : 0;
    const form = rows === 0 ? `alone ${index}` : formOf(inputs);
    const open = groups.findLast((group) => group.form === form);
    if (open !== undefined && open.rows + rows <= MAX_ROWS) {
      open.group.push({ index, rows, inputs });
      open.rows += rows;
    } else groups.push({ form, group: [{ index, rows, inputs }], rows });
  });
  return groups;
}

function formOf(inputs: NamedTensors): string {
  return [...inputs]
    .map(([name, { dtype, shape }]) => `${name}:${dtype}:${shape.slice(1).join('x')}`)
    .join(' ');
}

function succeeded(result: CallResult): result is PromiseFulfilledResult<NamedTensors> {
  return result.status === 'fulfilled';
}

function isSame(one: Prepared | undefined, other: Prepared | undefined): boolean {
  return one !== undefined && other !== undefined && hasSameBits(one.inputs, other.inputs);
}

function hasSameBits(one: NamedTensors, other: NamedTensors | undefined): boolean {
  return [...one].every(([name, { shape, data }]) => {
    const match = other?.get(name);
    if (match === undefined || shape.join() !== match.shape.join()) return false;
    if (!ArrayBuffer.isView(data) || !ArrayBuffer.isView(match.data)) return false;
    return Buffer.compare(toBytes(data), toBytes(match.data)) === 0;
  });
}

function toBytes({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
