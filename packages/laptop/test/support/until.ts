/** Waits, turn by turn of the event loop, until something is so; gives up after very many turns. */
export async function until(isSo: () => boolean | Promise<boolean>, turns = 200_000): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    if (await isSo()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`still not so after ${turns} turns of the event loop`);
}
