/** Queries that were searched for, kept by the browser for this address. */
const key = 'logquarry-history';

/** Most queries that are kept. */
const most = 200;

/** The earlier queries, the newest first. */
export function readHistory(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

/** Keeps a query as the newest one. */
export function rememberQuery(query: string): void {
  const text = query.trim();
  if (text === '') return;
  const kept = [text, ...readHistory().filter((each) => each !== text)].slice(0, most);
  try {
    localStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // A browser without storage has no history.
  }
}
