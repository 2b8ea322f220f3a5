import { isDeepStrictEqual } from 'node:util';
import { UnsupportedModel } from '@inferdrop/savedmodel/servable-model';
import type { PreparedAnswers } from '../../init/likeliest-preprocessing.ts';
import type { Preprocessing } from '../../init/preprocessings.ts';
import { toProbabilities } from '../../init/to-probabilities.ts';
import type { LabeledInput } from './measure-model.ts';
import { type PixelNetwork, prepareFile } from './pixel-network.ts';

/** Answers of a network to labeled images, prepared in several ways. */
export interface MeasuredWays {
  /** Ways that differ in at least one image. */
  readonly answers: readonly PreparedAnswers[];
  /** Label of each image that was answered. */
  readonly labels: readonly string[];
  /** Why some images have no answer. */
  readonly unanswered: readonly string[];
}

/**
 * Lets a network answer labeled images on this machine, prepared in each of several ways.
 *
 * @param progress hears how many images are done
 * @throws {BrokenModel}
 */
export async function measurePreprocessings(
  network: PixelNetwork,
  rows: readonly Preprocessing[],
  images: readonly LabeledInput[],
  progress: (done: number) => void,
): Promise<MeasuredWays> {
  const scores = rows.map((): (readonly number[])[] => []);
  // By image, the first way that prepares it alike: gray images have no order, square ones are not cut.
  const firsts = rows.map((): number[] => []);
  const labels: string[] = [];
  const unanswered: string[] = [];
  const model = await network.open().catch((error: unknown) => {
    if (error instanceof UnsupportedModel) return { reason: error.message };
    throw error;
  });
  if ('reason' in model) return { answers: [], labels, unanswered: [model.reason] };
  try {
    for (const [at, image] of images.entries()) {
      progress(at);
      const prepared = prepareFile(await image.read(), model.input, (prepare) =>
        rows.map((row) => prepare(row.images)),
      );
      if ('refused' in prepared) {
        unanswered.push(`${image.name}: ${prepared.refused}`);
        continue;
      }
      const first = prepared.map(({ data }) =>
        prepared.findIndex((one) => isDeepStrictEqual(one.data, data)),
      );
      const found = await Promise.all(
        prepared.map((pixels, row) => (first[row] === row ? model.score(pixels) : Promise.resolve([]))),
      );
      const refused = found.find((one) => 'refused' in one);
      if (refused !== undefined && 'refused' in refused) {
        unanswered.push(`${image.name}: ${refused.refused}`);
        continue;
      }
      labels.push(image.label);
      for (const [row, from] of first.entries()) {
        const answer = found[from] ?? [];
        if (!('refused' in answer)) scores[row]?.push(answer);
        firsts[row]?.push(from);
      }
    }
  } finally {
    await model.close();
  }
  const probabilities = toProbabilities(scores);
  const names = firsts.map((of) => of.join());
  const answers = rows.flatMap((row, at) =>
    names.indexOf(names[at] ?? '') === at ? [{ row, probabilities: probabilities[at] ?? [] }] : [],
  );
  return { answers, labels, unanswered };
}
