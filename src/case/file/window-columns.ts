/** Types of the columns of `stored.windows`, in their order. */
export const windowColumnTypes = {
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

/** The column definitions of `stored.windows`. */
export const windowColumns = Object.entries(windowColumnTypes)
  .map(([name, type]) => `"${name}" ${type}`)
  .join(', ');
