import type { Command, RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import {
  type CompletionOffer,
  type CompletionWord,
  completionOffers,
  type OptionOffer,
} from '../completion/offers.ts';
import type { completionSpec } from '../specs/deployment-specs.ts';

/** Prints the completion script of a shell for the given commands, or completes a query for it. */
export function completionCommand(commands: () => readonly Command[]): RunCommand<typeof completionSpec> {
  return async ({ arguments: { shell }, options: { line, rest = '', word = '' }, terminal }) => {
    if (line !== undefined) {
      // Loaded here, because a script needs none of it.
      const { queryLines } = await import('../completion/query-lines.ts');
      const specs = commands().map(({ spec }) => spec);
      const lines = await queryLines({ shell, line, rest, word }, specs);
      await terminal.print(lines.map((line) => `${line}\n`).join(''));
      return exitCodes.done;
    }
    await terminal.print(completionScripts[shell](completionOffers(commands())));
    return exitCodes.done;
  };
}

/** The completion script of each shell. */
const completionScripts: {
  readonly [S in 'bash' | 'zsh' | 'fish']: (offers: readonly CompletionOffer[]) => string;
} = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** A completion script for bash 3.2 and later, to be sourced. */
function bashScript(offers: readonly CompletionOffer[]): string {
  const wordOffers = offers.filter((offer) => 0 < offer.words.length);
  const paths = offers.filter(({ takesPaths }) => takesPaths).map(({ called }) => called);
  const queries = offers.filter(({ takesQuery }) => takesQuery).map(({ called }) => called);
  const choices = choicesOf(offers);
  return `# Completes the words of logquarry in bash. To have it always, in ~/.bashrc:
#   source <(logquarry completion bash)

_logquarry_words() {
  local each
  while IFS= read -r each; do COMPREPLY+=("$each"); done < <(compgen -W "$1" -- "$2")
}

_logquarry_paths() {
  local each
  compopt -o filenames 2>/dev/null
  while IFS= read -r each; do COMPREPLY+=("$each"); done < <(compgen -f -- "$1")
}

# Completes a query, with the command line on both sides of the cursor.
_logquarry_query() {
  local each
  compopt -o nospace 2>/dev/null
  while IFS= read -r each; do COMPREPLY+=("$each"); done < <(
    "$1" completion bash --line "\${COMP_LINE:0:COMP_POINT}" --rest "\${COMP_LINE:COMP_POINT}" --word "$2" 2>/dev/null)
  ((\${#COMPREPLY[@]}))
}

_logquarry() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} called='' i
  COMPREPLY=()
  # Bash makes a word of the "=" behind a long option.
  [[ $previous == = ]] && previous=\${COMP_WORDS[COMP_CWORD-2]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$called \${COMP_WORDS[i]}" in
      ${namedCalls(offers).map(shellQuoted).join(' | ')}) called="\${called:+$called }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$called $previous" in
${choices.map(([call, values]) => `    ${shellQuoted(call)}) _logquarry_words ${shellQuoted(values.join(' '))} "$current"; return ;;`).join('\n')}
    ${optionsWith('path', offers).map(shellQuoted).join(' | ')}) _logquarry_paths "$current"; return ;;
    ${optionsWith('query', offers).map(shellQuoted).join(' | ')}) _logquarry_query "$1" "$2"; return ;;
    ${optionsWith('text', offers).map(shellQuoted).join(' | ')}) return ;;
  esac
  case "$current" in
    -*)
      case "$called" in
${offers.map(({ called, options }) => `        ${shellQuoted(called)}) _logquarry_words ${shellQuoted(options.flatMap(flagsOf).join(' '))} "$current" ;;`).join('\n')}
      esac
      return ;;
  esac
  case "$called" in
${wordOffers.map(({ called, words: callWords }) => `    ${shellQuoted(called)}) _logquarry_words ${shellQuoted(callWords.map(({ word }) => word).join(' '))} "$current" ;;`).join('\n')}
  esac
  case "$called" in
    ${queries.map(shellQuoted).join(' | ')}) _logquarry_query "$1" "$2" && return ;;
  esac
  case "$called" in
    ${paths.map(shellQuoted).join(' | ')}) _logquarry_paths "$current" ;;
  esac
}

complete -F _logquarry logquarry
`;
}

/** Quotes a text as one word of bash and zsh. */
function shellQuoted(text: string): string {
  return `'${text.replace(/'/g, "'\\''")}'`;
}

/**
 * Keys to look up the words of a command line in order: the words of the command or group so far, a
 * blank, and its next word.
 */
function namedCalls(offers: readonly CompletionOffer[]): string[] {
  return offers
    .filter(({ called }) => called !== '')
    .map(({ called }) => (called.includes(' ') ? called : ` ${called}`));
}

/** Each command with each of its options that take a given kind of value, separated by a blank. */
function optionsWith(value: OptionOffer['value'], offers: readonly CompletionOffer[]): string[] {
  return offers.flatMap(({ called, options }) =>
    options
      .filter((option) => option.value === value)
      .flatMap(flagsOf)
      .map((flag) => `${called} ${flag}`),
  );
}

/** The flags of an option, the long one first. */
function flagsOf({ word, short }: OptionOffer): readonly string[] {
  return short === undefined ? [word] : [word, short];
}

/** Each command with each flag of its options that take one of some words, and these words. */
function choicesOf(offers: readonly CompletionOffer[]): (readonly [string, readonly string[]])[] {
  return offers.flatMap(({ called, options }) =>
    options.flatMap((option) => {
      const { value } = option;
      return typeof value === 'string'
        ? []
        : flagsOf(option).map((flag) => [`${called} ${flag}`, value] as const);
    }),
  );
}

/** A completion script for zsh, to be sourced or saved as `_logquarry` in a folder of functions. */
function zshScript(offers: readonly CompletionOffer[]): string {
  const wordOffers = offers.filter((offer) => 0 < offer.words.length);
  const paths = offers.filter(({ takesPaths }) => takesPaths).map(({ called }) => called);
  const queries = offers.filter(({ takesQuery }) => takesQuery).map(({ called }) => called);
  const choices = choicesOf(offers);
  return `#compdef logquarry
# Completes the words of logquarry in zsh. To have it always, in ~/.zshrc behind compinit:
#   source <(logquarry completion zsh)

# Completes a query, with the command line on both sides of the cursor.
_logquarry_query() {
  local -a found shown texts
  found=("\${(@f)$("\${words[1]}" completion zsh --line "\${(j: :)words[1,CURRENT]}" --rest " \${(j: :)words[CURRENT+1,-1]}" 2>/dev/null)}")
  found=(\${found:#})
  (( \${#found} )) || return 1
  texts=("\${(@)found%%$'\\t'*}")
  shown=("\${(@)found/$'\\t'/  -- }")
  compadd -U -V query -S '' -l -d shown -a texts
}

_logquarry() {
  local called='' previous=\${words[CURRENT-1]} i
  local -a offered
  for ((i = 2; i < CURRENT; i++)); do
    case "$called \${words[i]}" in
      (${namedCalls(offers).map(shellQuoted).join('|')}) called="\${called:+$called }\${words[i]}" ;;
    esac
  done
  case "$called $previous" in
${choices.map(([call, values]) => `    (${shellQuoted(call)}) compadd -- ${values.map(shellQuoted).join(' ')}; return ;;`).join('\n')}
    (${optionsWith('path', offers).map(shellQuoted).join('|')}) _files; return ;;
    (${optionsWith('query', offers).map(shellQuoted).join('|')}) _logquarry_query; return ;;
    (${optionsWith('text', offers).map(shellQuoted).join('|')}) return ;;
  esac
  [[ \${words[CURRENT]} == --*=* ]] && { _logquarry_query; return }
  if [[ \${words[CURRENT]} == -* ]]; then
    case "$called" in
${offers.map(({ called, options }) => `      (${shellQuoted(called)}) offered=(${described(options.flatMap((option) => flagsOf(option).map((word) => ({ word, about: option.about }))))}) ;;`).join('\n')}
    esac
    _describe -o 'option' offered
    return
  fi
  case "$called" in
${wordOffers.map(({ called, words: callWords }) => `    (${shellQuoted(called)}) offered=(${described(callWords)}) ;;`).join('\n')}
  esac
  (( \${#offered} )) && _describe 'word' offered
  case "$called" in
    (${queries.map(shellQuoted).join('|')}) _logquarry_query && return ;;
  esac
  case "$called" in
    (${paths.map(shellQuoted).join('|')}) _files ;;
  esac
}

if [[ \${funcstack[1]} == _logquarry ]]; then
  _logquarry "$@"
else
  compdef _logquarry logquarry
fi
`;
}

/** Words and descriptions, separated by a colon. */
function described(words: readonly CompletionWord[]): string {
  return words.map(({ word, about }) => shellQuoted(`${word.replace(/:/g, '\\:')}:${about}`)).join(' ');
}

/** A completion script for fish, to be sourced or saved as `completions/logquarry.fish`. */
function fishScript(offers: readonly CompletionOffer[]): string {
  return `# Completes the words of logquarry in fish. To have it always:
#   logquarry completion fish > ~/.config/fish/completions/logquarry.fish

function __logquarry_is
  set -l called ''
  for word in (commandline -opc)[2..-1]
    switch "$called $word"
      case ${namedCalls(offers).map(fishQuoted).join(' ')}
        set called (string trim -- "$called $word")
    end
  end
  test "$called" = "$argv[1]"
end

# Completes a query. A completion of fish sees the command line as far as the cursor.
function __logquarry_query
  set -l program (commandline -opc)[1]
  $program completion fish --line (commandline -cp | string collect) 2>/dev/null
end

complete -c logquarry -f
${offers.flatMap(linesOf).join('\n')}
`;
}

function linesOf(offer: CompletionOffer): string[] {
  const head = `complete -c logquarry -n ${fishQuoted(`__logquarry_is ${fishQuoted(offer.called)}`)}`;
  return [
    ...offer.words.map((word) => `${head} -a ${fishQuoted(word.word)}${description(word)}`),
    ...offer.options.map(
      (option) =>
        `${head}${shortOf(option)} -l ${option.word.slice(2)}${followedBy(option)}${description(option)}`,
    ),
    ...(offer.takesQuery ? [`${head} -a '(__logquarry_query)'`] : []),
    ...(offer.takesPaths ? [`${head} -F`] : []),
  ];
}

function shortOf({ short }: OptionOffer): string {
  return short === undefined ? '' : ` -s ${short.slice(1)}`;
}

function description({ about }: CompletionWord): string {
  return ` -d ${fishQuoted(about)}`;
}

/** Switches of fish for the value of an option. */
function followedBy({ value }: OptionOffer): string {
  if (value === 'nothing') return '';
  if (value === 'path') return ' -r -F';
  if (value === 'query') return ` -x -a '(__logquarry_query)'`;
  return value === 'text' ? ' -x' : ` -x -a ${fishQuoted(value.join(' '))}`;
}

/** Quotes a text for fish, which knows two escapes in single quotes. */
function fishQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
