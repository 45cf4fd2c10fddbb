/** Returns a text, or an equal one that came before under the same name. */
export interface ShareText {
  (name: string, text: string): string;
  (name: string, text: string | undefined): string | undefined;
}

/**
 * Creates a function that lets equal values of subsequent rows share their memory: the parts of a zip all have
 * the name and the hash of its file, each in a text of its own as the driver reads them.
 */
export function textSharing(): ShareText {
  const latest = new Map<string, string>();
  return share;

  function share(name: string, text: string): string;
  function share(name: string, text: string | undefined): string | undefined;
  function share(name: string, text: string | undefined): string | undefined {
    const known = latest.get(name);
    if (known === text) return known;
    if (text !== undefined) latest.set(name, text);
    return text;
  }
}
