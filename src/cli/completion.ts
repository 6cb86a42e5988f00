import { Argument, type Command } from 'commander';
import { print } from './print.ts';

/** `billing-emulator completion SHELL`: a script that completes verbs, flags and names of files. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('Print a completion script for bash or zsh')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh']))
    .action((shell: 'bash' | 'zsh') => print(`${PREAMBLE[shell]}${scriptFor(program)}`));
}

// In zsh, functions written for bash need bashcompinit, which needs compinit. A .zshrc may have loaded it
// already.
const PREAMBLE = {
  bash: '',
  zsh: `(( $+functions[compdef] )) || { autoload -U +X compinit && compinit; }
autoload -U +X bashcompinit && bashcompinit
`,
};

/**
 * Lists the verbs and flags that can follow each line of verbs. The shell completes files where nothing is
 * listed.
 */
function scriptFor(program: Command): string {
  const cases = wordsAfter(program).map(
    ([line, words, file]) =>
      `    '${line}') words='${words.join(' ')}'${file ? ' file=yes' : ''} ;;`,
  );
  return `_billing_emulator() {
  local word line='' words='' file='' index current=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  case \${COMP_WORDS[COMP_CWORD - 1]} in ${flagsWithValue(program).join('|')}) return ;; esac
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    [[ $word == -* ]] && break
    line="$line$word "
  done
  while :; do case "$line" in
${cases.join('\n')}
    esac
    [[ -n $words || -z $line ]] && break
    line=\${line% }
    [[ $line == *' '* ]] && line="\${line% *} " || line=''
  done
  [[ -n $file && $current != -* ]] && return
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _billing_emulator billing-emulator`;
}

/** A line of verbs, the words that can follow it, and whether a file can follow. */
type Following = readonly [line: string, words: readonly string[], file: boolean];

function wordsAfter(command: Command, line = ''): Following[] {
  const verbs = command.commands.map((each) => each.name());
  const args = command.registeredArguments;
  const values = args.flatMap(({ argChoices = [] }) => argChoices);
  const flags = shownFlags(command).map(({ long }) => long ?? '');
  return [
    [line, [...verbs, ...values, ...flags, '--help'], args.some((each) => each.name() === 'file')],
    ...command.commands.flatMap((each) => wordsAfter(each, `${line}${each.name()} `)),
  ];
}

const shownFlags = ({ options }: Command) => options.filter(({ hidden }) => !hidden);

/** The flags of all verbs that take a value. */
function flagsWithValue(program: Command): readonly string[] {
  const commands = (command: Command): Command[] => [
    command,
    ...command.commands.flatMap(commands),
  ];
  const flags = commands(program).flatMap(shownFlags);
  return [...new Set(flags.filter(({ required }) => required).map(({ long }) => long ?? ''))];
}
