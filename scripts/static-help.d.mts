export const HELP_FILE: string;
export function asksForText(args: readonly string[]): boolean;
export function printText(root: string, args: readonly string[]): number;
