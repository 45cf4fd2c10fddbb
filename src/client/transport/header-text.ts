import { ClientError } from './client-error.ts';

/** A text that goes into a header. One that no header can carry is refused, and not quoted: it may be a secret. */
export function headerText(text: string, what: string): string {
  // What is not in Latin-1 would be an exception that quotes it, and a line break the beginning of another header.
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return text;
  const message = `${what} holds a character that no header can carry, such as a line break: it was not copied whole or holds more than that`;
  throw new ClientError('REFUSED', message, { arrived: false });
}
