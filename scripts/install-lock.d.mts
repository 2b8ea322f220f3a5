export function installAlone<T>(root: string, install: () => T, tell?: (line: string) => void): T;
