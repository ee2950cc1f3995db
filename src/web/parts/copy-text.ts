import type { Application } from "../application.ts";
import { WORDS } from "../words/words.ts";

/**
 * Puts a text into the clipboard, and says `done`. A page that came over plain HTTP from another machine has no
 * `navigator.clipboard`, and a browser may refuse it: then by the older command, which needs no more than the press
 * of the key; where that is refused too, the page says so.
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
  // What is outside of an open dialog cannot be selected in.
  (focused?.closest("dialog") ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
