import type { CompletionOffer, CompletionWord } from './offers.ts';
import { choicesOf, flagsOf, namedCalls, optionsWith, shellQuoted } from './script.ts';

/** A completion script for zsh, to be sourced or saved as `_logquarry` in a folder of functions. */
export function zshScript(offers: readonly CompletionOffer[]): string {
  const words = offers.filter((offer) => 0 < offer.words.length);
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
${words.map(({ called, words: each }) => `    (${shellQuoted(called)}) offered=(${described(each)}) ;;`).join('\n')}
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
