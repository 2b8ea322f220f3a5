/** Names come from the content, so an existing one is the same. */
export async function unlessTaken(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ResourceInUse') throw error;
  }
}
