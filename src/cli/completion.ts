import { Argument, type Command } from 'commander';
import { print } from './print.ts';

/** `billing-emulator completion SHELL`: a script that completes verbs and flags. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('Print a script that completes verbs and flags, for bash or zsh')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh']))
    .action((shell: 'bash' | 'zsh') => print(`${PREAMBLE[shell]}${scriptFor(program)}`));
}

const PREAMBLE = { bash: '', zsh: 'autoload -U +X bashcompinit && bashcompinit\n' };

/** What may follow each line of verbs: further verbs, then flags. */
function scriptFor(program: Command): string {
  const cases = wordsAfter(program).map(
    ([line, words]) => `    '${line}') words='${words.join(' ')}' ;;`,
  );
  return `_billing_emulator() {
  local word line='' words='' index
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
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _billing_emulator billing-emulator`;
}

function wordsAfter(command: Command, line = ''): (readonly [string, readonly string[]])[] {
  const verbs = command.commands.map((each) => each.name());
  const flags = command.options.filter(({ hidden }) => !hidden).map(({ long }) => long ?? '');
  return [
    [line, [...verbs, ...flags, '--help']],
    ...command.commands.flatMap((each) => wordsAfter(each, `${line}${each.name()} `)),
  ];
}
