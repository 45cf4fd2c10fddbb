/** The columns of the table in their order, each with its type where it is no text. */
export const columns = {
  window: 'INTEGER',
  export: 'INTEGER',
  oldest: 'TIMESTAMP',
  newest: 'TIMESTAMP',
  slice: 'VARCHAR',
  state: 'VARCHAR',
  attempts: 'INTEGER',
  job: 'VARCHAR',
  address: 'VARCHAR',
  upload: 'VARCHAR',
  bytes: 'BIGINT',
  sha256: 'VARCHAR',
  records: 'INTEGER',
  found: 'INTEGER',
  logs: 'INTEGER',
  unreadable: 'INTEGER',
  expected: 'VARCHAR',
  missing: 'INTEGER',
  reason: 'VARCHAR',
  updated: 'TIMESTAMP',
} as const;

/** The table of windows, for the schema of the case. */
export const windowColumns = Object.entries(columns)
  .map(([name, type]) => `"${name}" ${type}`)
  .join(', ');
