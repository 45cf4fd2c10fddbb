/** The formats of a reply, the default first (section 4.2 of the interface document). */
export const replyFormats = ['html', 'json', 'pjson'] as const;

/** The format of a reply: a page for people, or JSON, plain or indented. */
export type ReplyFormat = (typeof replyFormats)[number];

/** The format that a form requests: `html` by default, undefined for an unknown one. */
export function replyFormatOf(form: URLSearchParams): ReplyFormat | undefined {
  const wanted = form.get('f') || 'html';
  return replyFormats.find((format) => format === wanted);
}
