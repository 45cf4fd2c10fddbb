import { damagedCaseError, messageOf, StoreError } from './store-error.ts';

/** Converts a failure of the driver to a `StoreError`; returns anything else as it is. */
export function toStoreError(error: unknown, of: { readonly path: string }): unknown {
  if (!isDriverError(error)) return error;
  const damaged = damagedCaseError(of.path, error);
  if (damaged) return damaged;
  // The driver adds advice about settings that users cannot change, and about a database that ends with the
  // process.
  const [message = ''] = messageOf(error).split('\n\nPossible solutions:');
  const what = /Original error: "([^"]*)"/.exec(message)?.[1] ?? message;
  return new StoreError('STORE_FAILED', `"${of.path}": ${what}`, { cause: error });
}

/** Reports if an error comes from the driver: a plain error whose message starts with its kind. */
export function isDriverError(error: unknown): boolean {
  return error instanceof Error && !(error instanceof StoreError) && /^[\w -]+ Error: /.test(error.message);
}
