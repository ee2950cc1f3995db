import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { addressOf } from "../addresses.ts";
import { useApplication } from "../application.ts";
import { Icon } from "../icon.tsx";
import { KEYS } from "../key-table.ts";
import { WORDS } from "../words/words.ts";
import { KeyList } from "./key-list.tsx";

/** All keys, or all commands to choose from. */
export function KeyDialog() {
  const { overlay, navigation } = useApplication();
  const place = navigation.place.value;
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the next key: Escape, pressed as soon as the keys are asked for, closes them and does not go back.
  useLayoutEffect(() => {
    dialog.current!.showModal();
    // Else the button that closes has the focus: it stands first.
    dialog.current!.querySelector("input")?.focus();
  }, []);
  // Closed by the browser before it goes: that gives the focus back, and lets a command move it.
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
      // A browser tells it a moment later, when another may stand in its place already.
      onClose={({ currentTarget }) => (currentTarget.isConnected ? close() : undefined)}
    >
      <header>
        <h2>{title}</h2>
        {place === null || place.archive === "" ? null : (
          <a href={addressOf("help", { archive: place.archive })} onClick={close}>
            {WORDS.keys.whole}
          </a>
        )}
        <button type="button" class="tool" onClick={close} aria-label={WORDS.actions.close}>
          <Icon name="close" />
        </button>
      </header>
      {isCommands ? <Commands onChosen={close} /> : <KeyList />}
    </dialog>
  );
}

function Commands({ onChosen }: { readonly onChosen: () => void }) {
  const { keyboard } = useApplication();
  const text = useSignal("");
  const at = useSignal(0);
  const found = KEYS.filter(({ does, keys }) =>
    `${does} ${keys.join(" ")}`.toLowerCase().includes(text.value.trim().toLowerCase()),
  );
  const choose = (index: number): void => {
    const command = found[index];
    if (command === undefined) return;
    onChosen();
    keyboard.run(command.name, command.keys[0]);
  };
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined && event.key !== "Enter") return;
    // Enter is for the command alone, and not for what that gives the focus to.
    event.preventDefault();
    if (step === undefined) choose(at.value);
    else at.value = Math.max(0, Math.min(found.length - 1, at.value + step));
  };
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={`command-${at.value}`}
        aria-label={WORDS.keys.filter}
        placeholder={WORDS.keys.filter}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={move}
      />
      <div id="commands" class="commands" role="listbox" aria-label={WORDS.keys.commands}>
        {found.map(({ name, keys, does }, index) => (
          <div
            key={name}
            id={`command-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at.value}
            onClick={() => choose(index)}
            onKeyDown={move}
          >
            <span>{does}</span>
            <kbd>{keys[0]}</kbd>
          </div>
        ))}
      </div>
    </>
  );
}
