import {
  BIGINT,
  BLOB,
  BOOLEAN,
  type DuckDBConnection,
  DuckDBScalarFunction,
  INTEGER,
} from '@duckdb/node-api';
import { blobBytes } from '../database/index.ts';

/** The texts of the logs whose ids are `batch` without the last `batchBits` bits. */
export interface TextBatch {
  readonly batch: number;
  readonly texts: Uint8Array;
}

/** Batches of the running statements, by the number in their SQL. */
const running = new Map<number, TextBatch[]>();

let lastNumber = 0;

/**
 * Registers the function `take_texts(number, batch, texts)`, by which a statement passes texts to this program. As a
 * result they would occupy the memory of the database until the garbage collector finds it.
 */
export function addTextSink(connection: DuckDBConnection): void {
  const added = DuckDBScalarFunction.create({
    name: 'take_texts',
    parameterTypes: [INTEGER, BIGINT, BLOB],
    returnType: BOOLEAN,
    volatile: true,
    mainFunction: (_info, input, output) => {
      const [numbers, batches] = [input.getColumnVector(0), input.getColumnVector(1)];
      const texts = input.getColumnVector(2);
      for (let row = 0; row < input.rowCount; row += 1) {
        const taken = running.get(Number(numbers.getItem(row)));
        taken?.push({ batch: Number(batches.getItem(row)), texts: blobBytes(texts, row) });
        output.setItem(row, taken !== undefined);
      }
      output.flush();
    },
  });
  connection.registerScalarFunction(added);
}

/** Runs a SELECT of the columns `batch` and `texts`. Returns its rows in ascending order. */
export async function takeTexts(connection: DuckDBConnection, select: string): Promise<readonly TextBatch[]> {
  // An INTEGER of the database; numbers wrap around long after the first statements have ended.
  lastNumber = (lastNumber % 2 ** 30) + 1;
  const number = lastNumber;
  const taken: TextBatch[] = [];
  running.set(number, taken);
  try {
    await connection.run(`SELECT count(take_texts(${number}, batch, texts)) FROM (${select})`);
  } finally {
    running.delete(number);
  }
  return taken.sort((first, second) => first.batch - second.batch);
}
