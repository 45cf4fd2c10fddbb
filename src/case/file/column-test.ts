import {
  BOOLEAN,
  type DuckDBBitValue,
  type DuckDBConnection,
  DuckDBScalarFunction,
  INTEGER,
  VARCHAR,
} from '@duckdb/node-api';
import type { Filter } from '../../language/index.ts';
import { type ColumnTest, type DuckdbCondition, type DuckdbOptions, toDuckdb } from '../../language/index.ts';

/** Tests of the running conditions, by the number in their SQL. */
const running = new Map<number, ColumnTest>();

let lastNumber = 0;

/** Registers the function `column_test(number, value)`, by which SQL calls tests that DuckDB cannot express. */
export function addColumnTest(connection: DuckDBConnection): void {
  const added = DuckDBScalarFunction.create({
    name: 'column_test',
    parameterTypes: [INTEGER, VARCHAR],
    returnType: BOOLEAN,
    // The meaning of a number changes from query to query.
    volatile: true,
    mainFunction: (_info, input, output) => {
      const [numbers, values] = [input.getColumnVector(0), input.getColumnVector(1)];
      for (let row = 0; row < input.rowCount; row += 1) {
        const value = values.getItem(row);
        const test = running.get(Number(numbers.getItem(row)));
        output.setItem(row, test !== undefined && typeof value === 'string' && test(value));
      }
      output.flush();
    },
  });
  connection.registerScalarFunction(added);
}

/** A condition whose tests are callable. A set of ids is a parameter as well. */
export type Condition<P = DuckDBBitValue> = Pick<DuckdbCondition<P>, 'sql' | 'parameters'>;

/** Runs work with the condition of a filter. Its tests are callable until the work ends. */
export async function withCondition<T>(
  filter: Filter,
  work: (condition: Condition) => Promise<T>,
  known?: DuckdbOptions<DuckDBBitValue>['known'],
): Promise<T> {
  const { done, ...condition } = startCondition<DuckDBBitValue>(filter, known);
  try {
    return await work(condition);
  } finally {
    done();
  }
}

/** Returns the condition of a filter, whose tests are callable until `done` is called. */
export function startCondition<P = never>(
  filter: Filter,
  known?: DuckdbOptions<P>['known'],
): Condition<P> & { readonly done: () => void } {
  const options = { firstTest: lastNumber + 1, ...(known && { known }) };
  const { sql, parameters, tests } = toDuckdb<P>(filter, options);
  for (const [number, test] of tests) running.set(number, test);
  lastNumber = (lastNumber + tests.size) % largestNumber;
  const done = () => {
    for (const number of tests.keys()) running.delete(number);
  };
  return { sql, parameters, done };
}

/** Numbers are INTEGERs of the database; they wrap around long after the first ones are done. */
const largestNumber = 2 ** 30;
