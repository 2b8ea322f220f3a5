declare module 'asl-validator' {
  interface Validation {
    readonly isValid: boolean;
    readonly errors: readonly { readonly ['Error code']: string; readonly message: string }[];
    readonly errorsText: (separator?: string) => string;
  }
  /** Writes a QueryLanguage into every state of its argument. */
  export default function validate(definition: unknown): Validation;
}
