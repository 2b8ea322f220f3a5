/** Lambda accepts 6 MB of base64 text, which is 4.5 MB of bytes. */
export const MAX_BODY_BYTES = 4_500_000;
/** API Gateway stops a request after 29 s; the answer must leave before. */
export const MAX_ANSWER_MS = 28_000;
/** Inputs of one multipart request; larger sets belong in a drop. */
export const MAX_INPUTS = 64;
/** Lambda returns at most 6 MB, base64 and headers included. */
export const MAX_ANSWER_BYTES = 4_500_000;
