/** Replaces a part of the text as if it were typed, so that undo knows it. */
export function insertText(
  area: HTMLTextAreaElement,
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  area.focus();
  area.setSelectionRange(from, to);
  const isTyped = document.execCommand('insertText', false, text);
  if (!isTyped) area.setRangeText(text, from, to, 'end');
}
