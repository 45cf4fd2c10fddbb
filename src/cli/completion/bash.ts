import type { CompletionOffer } from './offers.ts';
import { choicesOf, flagsOf, namedCalls, optionsWith, shellQuoted } from './script.ts';

/** A completion script for bash 3.2 and later, to be sourced. */
export function bashScript(offers: readonly CompletionOffer[]): string {
  const words = offers.filter((offer) => 0 < offer.words.length);
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
${words.map(({ called, words: each }) => `    ${shellQuoted(called)}) _logquarry_words ${shellQuoted(each.map(({ word }) => word).join(' '))} "$current" ;;`).join('\n')}
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
