/** The system clock, for use cases that take their clock as an argument. */
export const now = (): Date => new Date();
