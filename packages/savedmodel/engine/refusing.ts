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
    if (error instanceof UnsupportedModel || error instanceof BrokenModel) throw error;
    throw new BrokenModel(
      `The model cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
