import type { Application } from "./application.ts";
import { WORDS } from "./words.ts";

/** Copies the address of what is shown, or of something in it. */
export function copyLink({ notice }: Application, address: string = location.href): void {
  void navigator.clipboard?.writeText(new URL(address, location.href).href).then(() => {
    notice.value = WORDS.actions.copied;
  });
}
