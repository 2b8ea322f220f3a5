/** Lambda takes 6 MB of base64 text, which is 4.5 MB of bytes. */
export const LARGEST_BODY_BYTES = 4_500_000;
/** API Gateway ends a request after 29 s; the answer leaves before. */
export const LONGEST_ANSWER_MS = 28_000;
/** Inputs in one multipart request; more belong into a drop. */
export const MOST_INPUTS = 64;
/** Lambda gives back 6 MB at the most; base64 and headers take their share. */
export const LARGEST_ANSWER_BYTES = 4_500_000;
