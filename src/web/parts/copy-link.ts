import type { Application } from "../application.ts";
import { WORDS } from "../words/words.ts";
import { copyText } from "./copy-text.ts";

/** Copies the link to the current view, or to an element in it. */
export function copyLink(application: Application, address: string = location.href): void {
  void copyText(application, new URL(address, location.href).href, WORDS.actions.copied);
}
