import type { Application } from "../application.ts";
import { WORDS } from "../words/words.ts";
import { copyText } from "./copy-text.ts";

/** Copies the address of what is shown, or of something in it. */
export function copyLink(application: Application, address: string = location.href): void {
  void copyText(application, new URL(address, location.href).href, WORDS.actions.copied);
}
