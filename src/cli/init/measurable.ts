import { loadAnsweringModel } from '@inferdrop/model-container/internal/onnx-answering-model';
import { loadSavedModel } from '@inferdrop/savedmodel/load-saved-model';
import { InvalidFeeds } from '@inferdrop/savedmodel/servable-model';
import type { Scores } from '../../init/signature-facts.ts';
import type { Measurable } from './measure-model.ts';
import type { ServedModel } from './served-model.ts';

/** A SavedModel as it scores the classes. */
export function measurableSavedModel(
  { folder, signature }: Pick<ServedModel, 'folder' | 'signature'>,
  { output, classes, isSingle }: Scores,
): Measurable {
  return {
    classes,
    isSingle,
    async open() {
      const model = await loadSavedModel(folder, { workers: 1 });
      return {
        async score(input) {
          try {
            const answer = await model.run(
              signature.name,
              new Map([[signature.inputs[0]?.name ?? '', input]]),
            );
            return Array.from(answer.get(output)?.data ?? [], Number);
          } catch (error) {
            if (error instanceof InvalidFeeds) return { refused: error.message };
            throw error;
          }
        },
        close: () => model.close(),
      };
    },
  };
}

/** An ONNX model as it scores the classes of rows. */
export function measurableOnnx(file: string, classes: number): Measurable {
  return {
    classes,
    isSingle: false,
    async open() {
      const model = await loadAnsweringModel(file, undefined);
      return {
        async score({ data: [request] }) {
          if (!(request instanceof Uint8Array)) throw new TypeError('rows are sent as CSV');
          const answer = await model.answer(request);
          if ('refused' in answer) return answer;
          const scores = [...answer.outputs.values()].find(
            ({ dtype, shape }) => dtype.startsWith('float') && shape.at(-1) === classes,
          );
          return Array.from(scores?.data ?? [], Number);
        },
        close: () => model.close(),
      };
    },
  };
}
