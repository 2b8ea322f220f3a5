/** The computer's own time, for use cases that are handed their clock. */
export const now = (): Date => new Date();
