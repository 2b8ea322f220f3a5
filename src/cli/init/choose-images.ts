import type { ImageSettings } from '../../frameworks/onnx/image-settings.ts';
import {
  type JudgedPreprocessing,
  LEAST_LABELED,
  likeliestPreprocessing,
  MOST_LABELED,
} from '../../init/likeliest-preprocessing.ts';
import { readingsOf } from '../../init/outputs-of-labels.ts';
import { exampleSettings, LEVELS, preprocessings, preprocessingWords } from '../../init/preprocessings.ts';
import { wilsonInterval } from '../../metric/wilson-interval.ts';
import { percent, plural } from '../../text/figures.ts';
import { drawn } from '../../text/name-draw.ts';
import { Refusal } from '../refusal.ts';
import { namedClasses, nameLabels } from './choose-classes.ts';
import { truthOfOption } from './choose-truth.ts';
import type { Known, PreparedModel } from './known.ts';
import type { LabeledInput } from './measure-model.ts';
import { measurePreprocessings } from './measure-preprocessings.ts';
import { labeledImages, labelsOfFiles } from './measured-order.ts';
import type { PixelNetwork } from './pixel-network.ts';
import { statedImages } from './stated-images.ts';

/** Facts that are known when a network of pixels has been read. */
export interface KnownNetwork extends Omit<Known, 'model'> {
  readonly model: Pick<PreparedModel, 'onnx' | 'served'>;
}

/** How images are prepared, and why. */
export interface ChosenImages {
  readonly images: ImageSettings;
  readonly reason: string;
}

/** File that states how images are prepared. */
const FILE = 'an images.json next to the model';

/**
 * How a network wants images: as a file next to it or the network itself says, or as labeled images show. A wrong way gives wrong answers
 * without an error, so one that isn't certain is only proposed.
 *
 * @throws {Refusal} if nothing shows it, or no known way fits
 */
export async function chooseImages(network: PixelNetwork, known: KnownNetwork): Promise<ChosenImages> {
  const { options, decide, terminal } = known;
  const { place, size, levels } = network;
  const stated = await statedImages(options.model, size, terminal);
  if (stated !== undefined) return stated;
  if (levels !== undefined)
    return { images: LEVELS, reason: `${levels}; images are stretched to ${size.width} x ${size.height}` };
  const ways = preprocessings(size);
  const names = (await namedClasses(known, network.classes))?.names;
  const images = labeledSample(known, names, network.classes);
  const measured = await measurePreprocessings(network, ways, images, (done) =>
    terminal.status(`${plural(done, 'labeled image')} of ${images.length}, prepared in ${ways.length} ways`),
  );
  const { answers, labels, unanswered } = measured;
  const isNamed = names !== undefined && (options.classes !== undefined || nameLabels(names, labels));
  const judged = likeliestPreprocessing(answers, readingsOf(answers, labels, isNamed ? names : undefined));
  const remedy = `or state the way in ${FILE}, such as ${JSON.stringify(exampleSettings(size))}`;
  if (judged === undefined || (!judged.fits && judged.of < LEAST_LABELED))
    throw new Refusal(
      `nothing shows how ${place} wants the pixels of images: ${lacking(labels, unanswered)}, ${remedy}`,
    );
  const { best, open, isSure } = judged;
  const found = `${preprocessingWords(best, size)}: the likeliest of ${ways.length} ways, ${rightOf(judged)}`;
  if (!judged.fits)
    throw new Refusal(
      `none of ${ways.length} ways to prepare images fits ${place}. The best is ${found}. Pixels are prepared in another ` +
        `way, or the classes are in another order: give that with --classes, ${remedy}`,
    );
  if (isSure)
    return {
      images: best.images,
      reason: `${found}; if it did better in training, its preparation isn't among them`,
    };
  terminal.note(`pixels  ${found}`);
  for (const row of open) terminal.note(`pixels  still possible: ${preprocessingWords(row, size)}`);
  const takes = `${JSON.stringify(best.images)} takes the way above`;
  const more = `more labeled images (${judged.of} now, up to ${MOST_LABELED} are looked at) may make it certain`;
  const answer = await decide({
    text: 'The labels make this way likely, and not certain. Prepare images in it (yes or no)',
    option: FILE,
    remedy: `${takes}; ${more}`,
    problem: (typed) => (['yes', 'no'].includes(typed) ? undefined : 'must be yes or no'),
  });
  if (answer !== 'yes')
    throw new Refusal(
      `it is not certain how ${place} wants the pixels of images: give ${FILE} (${takes}); ${more}`,
    );
  return { images: best.images, reason: `${found}, as you confirmed` };
}

/** Labeled images that are looked at, as many of each class as far as there are. */
function labeledSample(
  { options: { truth }, inputs }: KnownNetwork,
  names: readonly string[] | undefined,
  classes: number | undefined,
): LabeledInput[] {
  if (inputs?.imageType === undefined) return [];
  const labels =
    truth === undefined
      ? labelsOfFiles(inputs, { count: classes === 1 ? 2 : classes, names })
      : truthOfOption(truth, inputs).labels;
  return drawn(
    labeledImages(inputs, labels),
    MOST_LABELED,
    ({ name }) => name,
    ({ label }) => label,
  );
}

/** Reason why labels don't show it, with the remedy. */
function lacking(labels: readonly string[], unanswered: readonly string[]): string {
  const [why] = unanswered;
  if (labels.length === 0 && why !== undefined) return `no image was answered (${why}): give other images`;
  if (labels.length >= LEAST_LABELED)
    return 'its classes are not all among the labels: name them in the order of its outputs with --classes';
  return (
    `${plural(labels.length, 'image')} with a label, ${LEAST_LABELED} are needed: label them by a folder for each ` +
    'class or in labels.csv'
  );
}

function rightOf({ right, of }: JudgedPreprocessing): string {
  const { low = 0, high = 1 } = wilsonInterval(right, of) ?? {};
  return `right on ${right} of ${plural(of, 'labeled image')} (${percent(low, 0)} to ${percent(high, 0)})`;
}
