import type { CompletionOffer, CompletionWord, OptionOffer } from './offers.ts';
import { namedCalls } from './script.ts';

/** A completion script for fish, to be sourced or saved as `completions/logquarry.fish`. */
export function fishScript(offers: readonly CompletionOffer[]): string {
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
    ...offer.words.map((each) => `${head} -a ${fishQuoted(each.word)}${description(each)}`),
    ...offer.options.map(
      (each) => `${head}${shortOf(each)} -l ${each.word.slice(2)}${followedBy(each)}${description(each)}`,
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
