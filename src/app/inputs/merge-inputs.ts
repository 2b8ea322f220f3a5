import { compareByteOrder } from '../../text/byte-order.ts';
import type { InputLine } from '../records/input-line.ts';

interface Cursor {
  line: InputLine;
  readonly rest: AsyncIterator<InputLine>;
}

/**
 * The inputs of a run in the order of their names: the objects of its manifest, with each tar replaced by its members. Members lie
 * among objects, since `a.tar-2` comes before `a.tar/x`: the lists of a few tars are open at once. Memory holds a line of each.
 *
 * @param isOpened whether an object has members, by its key
 * @param membersOf opens the members of a tar in their order
 */
export async function* mergeInputs(
  manifest: AsyncIterable<InputLine>,
  isOpened: (key: string) => boolean,
  membersOf: (tar: InputLine) => AsyncIterable<InputLine>,
): AsyncGenerator<InputLine> {
  let held: InputLine | undefined;
  for await (const line of inOrder(manifest, isOpened, membersOf)) {
    if (held?.key === line.key) {
      held = { ...held, defect: `is more than one: ${originOf(held)} and ${originOf(line)}. Rename one` };
      continue;
    }
    if (held !== undefined) yield held;
    held = line;
  }
  if (held !== undefined) yield held;
}

function originOf({ member }: InputLine): string {
  return member === undefined ? 'an object' : `a member of ${JSON.stringify(member.object)}`;
}

/** All lines in order; among equal names, the object's line comes first, or the first tar's. */
async function* inOrder(
  manifest: AsyncIterable<InputLine>,
  isOpened: (key: string) => boolean,
  membersOf: (tar: InputLine) => AsyncIterable<InputLine>,
): AsyncGenerator<InputLine> {
  const open: Cursor[] = [];
  async function* upTo(key: string | undefined): AsyncGenerator<InputLine> {
    for (;;) {
      const first = open.reduce<Cursor | undefined>(
        (least, next) => (least && compareByteOrder(least.line.key, next.line.key) <= 0 ? least : next),
        undefined,
      );
      if (first === undefined || (key !== undefined && compareByteOrder(first.line.key, key) >= 0)) return;
      yield first.line;
      const { value, done } = await first.rest.next();
      if (done === true) open.splice(open.indexOf(first), 1);
      else first.line = value;
    }
  }
  for await (const entry of manifest) {
    yield* upTo(entry.key);
    if (!isOpened(entry.key)) {
      yield entry;
      continue;
    }
    const rest = membersOf(entry)[Symbol.asyncIterator]();
    const { value, done } = await rest.next();
    if (done !== true) open.push({ line: value, rest });
  }
  yield* upTo(undefined);
}
