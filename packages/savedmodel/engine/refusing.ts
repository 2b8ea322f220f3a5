import { BrokenModel, UnsupportedModel } from '../savedmodel/servable-model.ts';

/**
 * Does what reads a model; whatever else than a refusal a damaged file provokes, it is the file that is to blame.
 *
 * @throws {UnsupportedModel} {BrokenModel}
 */
export async function refusing<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isRefusal(error)) throw error;
    throw new BrokenModel(
      `The model cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Whether an error says that a model cannot be had, now or later. */
export function isRefusal(error: unknown): error is UnsupportedModel | BrokenModel {
  return error instanceof UnsupportedModel || error instanceof BrokenModel;
}
