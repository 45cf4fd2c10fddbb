/** Number of rows that DuckDB compresses at a time, in the thread that appends them. */
export const rowGroupSize = 122_880;
