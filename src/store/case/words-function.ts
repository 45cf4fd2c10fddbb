import { type DuckDBConnection, DuckDBScalarFunction, VARCHAR } from '@duckdb/node-api';
import { analyze } from '../../meaning/analyzer/analyze.ts';

/** Maximum length of cached texts, in UTF-16 units: longer ones rarely repeat. */
const longestRepeated = 200;

/** Maximum number of cached texts. */
const mostRepeated = 20_000;

/** Words by text. Few values of most fields are distinct. */
const known = new Map<string, string | null>();

/**
 * Registers the function `words(text)`: the words of a text as the engine cuts them, joined and surrounded by single
 * blanks; NULL if it has none.
 */
export function addWordsFunction(connection: DuckDBConnection): void {
  const added = DuckDBScalarFunction.create({
    name: 'words',
    parameterTypes: [VARCHAR],
    returnType: VARCHAR,
    mainFunction: (_info, input, output) => {
      const texts = input.getColumnVector(0);
      for (let row = 0; row < input.rowCount; row += 1) {
        const text = texts.getItem(row);
        output.setItem(row, typeof text === 'string' ? wordsOf(text) : null);
      }
      output.flush();
    },
  });
  connection.registerScalarFunction(added);
}

function wordsOf(text: string): string | null {
  if (longestRepeated < text.length) return cutWords(text);
  const found = known.get(text);
  if (found !== undefined) return found;
  const cut = cutWords(text);
  if (known.size === mostRepeated) known.clear();
  known.set(text, cut);
  return cut;
}

function cutWords(text: string): string | null {
  const words = analyze(text);
  return words.length === 0 ? null : ` ${words.join(' ')} `;
}
