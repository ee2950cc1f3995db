import type { Application } from "../application.ts";
import { WORDS } from "../words/words.ts";

/**
 * Copies a text to the clipboard and shows `done`. Over plain HTTP from another machine there is no
 * `navigator.clipboard`, and browsers may reject it: then uses the older command, which needs only a key press. If that
 * fails too, shows an error.
 */
export async function copyText({ notice }: Application, text: string, done: string): Promise<void> {
  const isCopied = (await writtenByClipboard(text)) || writtenByCommand(text);
  notice.value = isCopied ? done : WORDS.actions.notCopied;
}

async function writtenByClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function writtenByCommand(text: string): boolean {
  const field = document.createElement("textarea");
  const focused = document.activeElement;
  field.value = text;
  field.readOnly = true;
  field.className = "visually-hidden";
  // Outside an open dialog, nothing can be selected.
  (focused?.closest("dialog") ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
