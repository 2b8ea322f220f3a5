/** Cap on the digits: counts are below 1e9, so that two different shares differ within this many digits. */
const MAX_DIGITS = 9;

/** A share in per cent, with enough digits that 69.996% is not shown as the `bound` of 70% that it misses. */
export function sharePercent(share: number, bound = share): string {
  for (let digits = 2; digits < MAX_DIGITS; digits++) {
    const [shown, other] = [share, bound].map((each) => Number((each * 100).toFixed(digits)));
    if (shown !== other || share === bound) return `${shown}%`;
  }
  return `${share * 100}%`;
}
