import { ClientError } from './client-error.ts';

/** Checks a text for a header. Throws a `ClientError` if no header can carry it, without quoting it: it may be a secret. */
export function headerText(text: string, what: string): string {
  // A character beyond Latin-1 would throw an error that quotes the text; a line break would start another header.
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return text;
  const message = `${what} holds a character that no header can carry, such as a line break: it was not copied whole or holds more than that`;
  throw new ClientError('REFUSED', message, { arrived: false });
}
