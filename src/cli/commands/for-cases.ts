export { importFiles } from './import.ts';
export { search } from './search.ts';
export { sql } from './sql.ts';
