/** Characters that change how a text is shown, or are not shown: controls, bidi overrides, zero-width and tag characters. */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|[\ud800-\udfff]/gu;

/**
 * A text of a log as it can be shown. Hidden characters become escapes such as `\u{202e}`, so that
 * no log can reorder or hide what stands beside it.
 */
export function visible(text: string): string {
  return text.replace(hidden, (each) => `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`);
}
