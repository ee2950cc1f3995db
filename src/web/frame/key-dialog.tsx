import { useLayoutEffect, useRef } from "preact/hooks";
import { useApplication } from "../application.ts";
import { IconButton } from "../parts/icon.tsx";
import { addressOf } from "../shell/addresses.ts";
import { WORDS } from "../words/words.ts";
import { CommandList } from "./command-list.tsx";
import { KeyList } from "./key-list.tsx";

/** All keys, or all commands to choose from. */
export function KeyDialog() {
  const { overlay, navigation } = useApplication();
  const place = navigation.place.value;
  const dialog = useRef<HTMLDialogElement>(null);
  // Runs before the next key: Escape must close the dialog even right after it was opened.
  useLayoutEffect(() => {
    dialog.current!.showModal();
    // Otherwise the close button, which comes first, would have the focus.
    dialog.current!.querySelector("input")?.focus();
  }, []);
  // Closes before unmounting: the browser restores the focus, and a command can move it.
  const close = (): void => {
    dialog.current?.close();
    overlay.value = null;
  };
  const isCommands = overlay.value === "commands";
  const title = isCommands ? WORDS.keys.commands : WORDS.keys.title;
  return (
    <dialog
      ref={dialog}
      class="sheet"
      aria-label={title}
      onCancel={close}
      // The browser fires this event later, when another dialog may be open.
      onClose={({ currentTarget }) => (currentTarget.isConnected ? close() : undefined)}
    >
      <header>
        <h2>{title}</h2>
        {place === null || place.archive === "" ? null : (
          <a href={addressOf("help", { archive: place.archive })} onClick={close}>
            {WORDS.keys.whole}
          </a>
        )}
        <IconButton icon="close" name={WORDS.actions.close} onClick={close} />
      </header>
      {isCommands ? <CommandList onChosen={close} /> : <KeyList />}
    </dialog>
  );
}
