import type { Known } from './known.ts';

/** Height and width that images are scaled to, as `--size` says, or as a person does. */
export async function askSize(
  place: string,
  { options, decide }: Pick<Known, 'options' | 'decide'>,
): Promise<{ readonly height: number; readonly width: number }> {
  const problem = (text: string): string | undefined =>
    /^[1-9]\d{0,3}x[1-9]\d{0,3}$/.test(text) ? undefined : 'must be as 224x224';
  const given = options.size;
  const text =
    given !== undefined && problem(given) === undefined
      ? given
      : await decide({
          text: `${place} takes images of any size: height and width to scale them to, as 224x224`,
          option: '--size HEIGHTxWIDTH',
          problem,
        });
  const [height = 0, width = 0] = text.split('x').map(Number);
  return { height, width };
}
