import { useLayoutEffect, useRef } from "preact/hooks";
import type { RefusedOriginal } from "../application.ts";
import { useApplication } from "../application.ts";
import { PasswordForm } from "../conversation/password-form.tsx";
import { ORIGINALS_WORDS } from "../words/originals-words.ts";
import { WORDS } from "../words/words.ts";

/** Explains why an original is unavailable, and asks for the password if required. */
export function RefusedOriginalDialog({ link, fault }: RefusedOriginal) {
  const { refused } = useApplication();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current!.showModal(), []);
  const close = (): void => dialog.current!.close();
  const isProtected = fault.code === "ORIGINAL_PROTECTED";
  const { title } = ORIGINALS_WORDS.refusedOriginal;
  return (
    <dialog
      ref={dialog}
      class="sheet small"
      aria-label={title}
      onClose={() => {
        refused.value = null;
      }}
    >
      <h2>{title}</h2>
      {isProtected ? (
        <PasswordForm
          onGiven={() => {
            close();
            link.click();
          }}
        />
      ) : (
        <p role="alert">
          {fault.isOffline ? WORDS.states.offlineHint : fault.message} <span class="quiet">{fault.code}</span>
        </p>
      )}
      <footer>
        <button type="button" class="button" onClick={close}>
          {WORDS.actions.close}
        </button>
      </footer>
    </dialog>
  );
}
