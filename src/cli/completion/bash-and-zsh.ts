import type { Completed, CompletedCommand, Offer } from './completed-command.ts';

/** The completion of bash: `eval "$(inferdrop completion bash)"`. */
export function bashCompletion(completed: Completed): string {
  return `# Completion of inferdrop for bash, made from its commands: eval "$(inferdrop completion bash)"
${chooser(completed)}
_inferdrop() {
  local candidates files
  _inferdrop_choose "$COMP_CWORD" "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}" "\${COMP_WORDS[1]}" "\${COMP_WORDS[2]}"
  COMPREPLY=()
  # The bash of macOS has no compopt.
  if [[ -z $files ]]; then COMPREPLY=($(compgen -W "$candidates" -- "\${COMP_WORDS[COMP_CWORD]}"))
  elif ! compopt -o default 2>/dev/null; then COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")); fi
}
complete -F _inferdrop inferdrop`;
}

/** The completion of zsh: `eval "$(inferdrop completion zsh)"` after `compinit`. */
export function zshCompletion(completed: Completed): string {
  return `# Completion of inferdrop for zsh, made from its commands: eval "$(inferdrop completion zsh)" after compinit
${chooser(completed)}
_inferdrop() {
  local position=$((CURRENT - 1)) word="$words[CURRENT]" before="$words[CURRENT-1]" first="$words[2]" second="$words[3]"
  local candidates files
  _inferdrop_choose "$position" "$word" "$before" "$first" "$second"
  if [[ -n $files ]]; then _files
  else compadd -- \${=candidates}; fi
}
compdef _inferdrop inferdrop`;
}

/**
 * A function of both shells: given the position, the word being typed, the one before it and the first two, it sets `candidates` to
 * the possible words, or `files`.
 */
function chooser({ commands, groups, completed }: Completed): string {
  return `_inferdrop_choose() {
  local position=$1 word=$2 before=$3 command=$4
  candidates='' files=''
  if [[ $position -eq 1 ]]; then
    candidates='${[...commands.keys(), 'help', '--help', '--version'].join(' ')}'
    return
  fi
  case "$position $command $word" in
${groups.map(([name, { verbs }]) => `    '2 ${name} '[!-]*|'2 ${name} ') candidates='${Object.keys(verbs).join(' ')}'; return ;;`).join('\n')}
  esac
  case "$command $5" in
${groups
  .flatMap(([name, { alone }]) => [
    `    '${name} '[!-]*) command="$command $5" ;;`,
    ...(alone === undefined ? [] : [`    '${name} '*) command='${name} ${alone}' ;;`]),
  ])
  .join('\n')}
  esac
  case "$command $before" in
${completed.flatMap(valueCases).join('\n')}
  esac
  case "$command $word" in
${completed.map(({ name, options }) => `    '${name} -'*) candidates='${[...options.map(({ long }) => `--${long}`), '--help'].join(' ')}' ;;`).join('\n')}
${completed.flatMap(({ name, operand }) => (operand === 'nothing' ? [] : [`    '${name} '*) ${choice(operand)} ;;`])).join('\n')}
  esac
}`;
}

function valueCases({ name, options }: CompletedCommand): readonly string[] {
  return options.flatMap(({ long, short, value }) => {
    if (value === undefined) return [];
    const names = [`'${name} --${long}'`, ...(short === undefined ? [] : [`'${name} -${short}'`])];
    return [`    ${names.join('|')}) ${[choice(value), 'return'].filter((one) => one !== '').join('; ')} ;;`];
  });
}

function choice(offer: Offer): string {
  if (offer === 'nothing') return '';
  return offer === 'files' ? 'files=yes' : `candidates='${offer.words.join(' ')}'`;
}
