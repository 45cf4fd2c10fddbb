import type { Offer, Word } from './offers.ts';
import { namedCalls, optionsWith, quoted } from './script.ts';

/** A script for zsh, to be sourced, or kept as `_logquarry` where zsh looks for functions. */
export function zshScript(offers: readonly Offer[]): string {
  const words = offers.filter((offer) => 0 < offer.words.length);
  const paths = offers.filter(({ takesPaths }) => takesPaths).map(({ called }) => called);
  const choices = offers.flatMap(({ called, options }) =>
    options.flatMap(({ word, value }) =>
      typeof value === 'string' ? [] : [[`${called} ${word}`, value] as const],
    ),
  );
  return `#compdef logquarry
# Completes the words of logquarry in zsh. To have it always, in ~/.zshrc behind compinit:
#   source <(logquarry completion zsh)

_logquarry() {
  local called='' previous=\${words[CURRENT-1]} i
  local -a offered
  for ((i = 2; i < CURRENT; i++)); do
    case "$called \${words[i]}" in
      (${namedCalls(offers).map(quoted).join('|')}) called="\${called:+$called }\${words[i]}" ;;
    esac
  done
  case "$called $previous" in
${choices.map(([call, values]) => `    (${quoted(call)}) compadd -- ${values.map(quoted).join(' ')}; return ;;`).join('\n')}
    (${optionsWith('path', offers).map(quoted).join('|')}) _files; return ;;
    (${optionsWith('text', offers).map(quoted).join('|')}) return ;;
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    case "$called" in
${offers.map(({ called, options }) => `      (${quoted(called)}) offered=(${described(options)}) ;;`).join('\n')}
    esac
    _describe -o 'option' offered
    return
  fi
  case "$called" in
${words.map(({ called, words: each }) => `    (${quoted(called)}) offered=(${described(each)}) ;;`).join('\n')}
  esac
  (( \${#offered} )) && _describe 'word' offered
  case "$called" in
    (${paths.map(quoted).join('|')}) _files ;;
  esac
}

if [[ \${funcstack[1]} == _logquarry ]]; then
  _logquarry "$@"
else
  compdef _logquarry logquarry
fi
`;
}

/** Words with what they stand for, which a colon parts. */
function described(words: readonly Word[]): string {
  return words.map(({ word, about }) => quoted(`${word.replace(/:/g, '\\:')}:${about}`)).join(' ');
}
