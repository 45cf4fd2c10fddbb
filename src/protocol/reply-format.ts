/** The formats of a reply, the default first (section 4.2 of the interface document). */
export const replyFormats = ['html', 'json', 'pjson'] as const;

/** How an operation answers: a page for people, or JSON, plain or indented. */
export type ReplyFormat = (typeof replyFormats)[number];

/** The format that a form asks for: `html` where it says nothing, undefined where it names an unknown one. */
export function replyFormatOf(form: URLSearchParams): ReplyFormat | undefined {
  const wanted = form.get('f') || 'html';
  return replyFormats.find((format) => format === wanted);
}
