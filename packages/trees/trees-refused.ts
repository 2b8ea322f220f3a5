/** A model of trees that has no exact form in ONNX, or a damaged file; the message names the file and says what to do. */
export class TreesRefused extends Error {
  override readonly name = 'TreesRefused';
}

/** A reason for a refusal, in words that follow the name of the file: "is damaged: …". */
export class Unconvertible extends Error {
  override readonly name = 'Unconvertible';
}
