import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Application, useApplication } from "../application.ts";
import { addressOf, VIEW_ROWS } from "../shell/addresses.ts";
import { KEY_GROUPS, KEYS } from "../shell/key-table.ts";
import { WORDS } from "../words/words.ts";

const [, GO_TO] = KEY_GROUPS;
const KEY_NAMES = new Set<string>(["search", ...KEYS.filter(({ group }) => group === GO_TO).map(({ name }) => name)]);
/** Archive views without a shortcut. */
const WITHOUT_KEY = VIEW_ROWS.filter(({ view, path }) => path.split("{").length === 2 && !KEY_NAMES.has(view));

interface Command {
  readonly text: string;
  /** Shortcut as in the key table; empty for none. */
  readonly key: string;
  readonly run: () => void;
}

/** All available commands: those with shortcuts, and views without one. */
function commandsOf({ keyboard, navigation }: Application): readonly Command[] {
  const archive = navigation.place.peek()?.archive ?? "";
  const shown = archive === "" ? [] : WITHOUT_KEY;
  return [
    ...KEYS.filter(({ name }) => keyboard.knows(name)).map(({ name, keys: [key], does }) => ({
      text: does,
      key,
      run: () => void keyboard.run(name, key),
    })),
    ...shown.map(({ view, title }) => ({
      text: title,
      key: "",
      run: () => navigation.go(addressOf(view, { archive })),
    })),
  ];
}

/** Commands, filtered by a part of their description or key. */
export function CommandList({ onChosen }: { readonly onChosen: () => void }) {
  const application = useApplication();
  const text = useSignal("");
  const at = useSignal(0);
  const list = useRef<HTMLDivElement>(null);
  const sought = text.value.trim().toLowerCase();
  const found = commandsOf(application).filter(({ text: does, key }) =>
    `${does} ${key}`.toLowerCase().includes(sought),
  );
  useLayoutEffect(() => {
    list.current!.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at.value]);
  const choose = (index: number): void => {
    const command = found[index];
    if (command === undefined) return;
    onChosen();
    command.run();
  };
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined && event.key !== "Enter") return;
    // Enter runs the command only, and does not reach the newly focused element.
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
      <p class="quiet" role="status">
        {found.length === 0 ? WORDS.keys.none : ""}
      </p>
      <div ref={list} id="commands" class="commands" role="listbox" aria-label={WORDS.keys.commands}>
        {found.map(({ text: does, key }, index) => (
          <div
            key={does}
            id={`command-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at.value}
            onClick={() => choose(index)}
            onKeyDown={move}
          >
            <span>{does}</span>
            {key === "" ? null : <kbd>{key}</kbd>}
          </div>
        ))}
      </div>
    </>
  );
}
