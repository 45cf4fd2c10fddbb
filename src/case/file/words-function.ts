import { type DuckDBConnection, DuckDBScalarFunction, VARCHAR } from '@duckdb/node-api';
import { analyze } from '../../language/index.ts';

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
  const words = analyze(text);
  return words.length === 0 ? null : ` ${words.join(' ')} `;
}
