/** An argument for a shell; one of plain characters stays unquoted. */
export function quoted(argument: string): string {
  return /^[\w./@:+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
