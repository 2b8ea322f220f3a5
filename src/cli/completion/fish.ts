import type { Completed, CompletedOption, Offer } from './completed-command.ts';

/** The completion of fish: `inferdrop completion fish | source`. */
export function fishCompletion({ commands, groups, completed }: Completed): string {
  const aloneOf = new Map(groups.map(([name, { alone }]) => [name, alone]));
  return `# Completion of inferdrop for fish, made from its commands: inferdrop completion fish | source
function __inferdrop_command
  set -l typed (commandline -opc)
  switch "$typed[2]"
    case ${groups.map(([name]) => name).join(' ')}
      string match -q -- '-*' "$typed[3]"; and echo $typed[2]; or echo $typed[2..3]
    case '*'
      echo $typed[2]
  end
end
function __inferdrop_is
  contains -- (__inferdrop_command) $argv
end
complete -c inferdrop -f
complete -c inferdrop -n '__inferdrop_is ""' -l version -d 'Name and version'
${[
  ...[...commands].map(([name, { summary }]) => offer('""', `-a ${name} -d ${quote(summary)}`)),
  ...groups.flatMap(([name, { verbs }]) =>
    Object.entries(verbs).map(([verb, { summary }]) => offer(name, `-a ${verb} -d ${quote(summary)}`)),
  ),
  ...completed.flatMap(({ name, options, operand }) => {
    const [first = '', verb] = name.split(' ');
    const isAlone = verb !== undefined && aloneOf.get(first) === verb;
    const where = isAlone ? `"${name}" ${first}` : `"${name}"`;
    return [
      ...options.map((option) => offer(where, optionWords(option))),
      offer(where, "-l help -d 'Options and examples'"),
      ...(operand === 'nothing' ? [] : [offer(where, value(operand))]),
    ];
  }),
].join('\n')}`;
}

function offer(where: string, what: string): string {
  return `complete -c inferdrop -n '__inferdrop_is ${where}' ${what}`;
}

function optionWords({ long, short, text, value: of }: CompletedOption): string {
  const names = `-l ${long}${short === undefined ? '' : ` -s ${short}`} -d ${quote(text)}`;
  return of === undefined ? names : `${names} -r ${value(of)}`;
}

function value(of: Offer): string {
  if (of === 'nothing') return '-f';
  return of === 'files' ? '-F' : `-f -a ${quote(of.words.join(' '))}`;
}

/** A word in single quotes, in which fish knows two escapes. */
function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
