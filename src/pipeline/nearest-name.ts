import { editDistance } from '../text/edit-distance.ts';

/** The known name most similar to the written one, or undefined if none is similar. */
export function nearestName(written: string, known: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let smallest = Math.max(2, Math.floor(written.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(written.toLowerCase(), name.toLowerCase());
    if (distance < smallest) {
      smallest = distance;
      nearest = name;
    }
  }
  return nearest;
}
