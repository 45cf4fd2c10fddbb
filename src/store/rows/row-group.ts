/** DuckDB compresses so many rows at a time, in the thread that adds them. */
export const rowGroup = 122_880;
