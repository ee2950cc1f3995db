import { useEffect, useRef } from "preact/hooks";
import { useApplication, useRoute } from "../application.ts";
import { Icon } from "./icon.tsx";
import { useChanged } from "./pager.tsx";

/** Delay in milliseconds after the last key before rows are requested. */
const TYPING_MS = 200;

interface FilterBoxProps {
  /** URL parameter with the text. */
  readonly name: string;
  readonly label: string;
}

/** Narrows the rows of a view by text while it is typed. */
export function FilterBox({ name, label }: FilterBoxProps) {
  const { navigation } = useApplication();
  const text = useRoute().parameters.get(name) ?? "";
  const changed = useChanged();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (document.activeElement !== box.current) box.current!.value = text;
  }, [text]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const ask = (value: string): void => navigation.go(changed({ [name]: value === "" ? null : value }), "replace");
  return (
    <search>
      <form
        class="filter-box"
        onSubmit={(event) => {
          event.preventDefault();
          clearTimeout(timer.current);
          ask(box.current!.value);
        }}
      >
        <Icon name={name === "q" ? "search" : "filter"} />
        <input
          ref={box}
          id="q"
          type="text"
          defaultValue={text}
          aria-label={label}
          placeholder={label}
          autoComplete="off"
          onInput={({ currentTarget }) => {
            clearTimeout(timer.current);
            timer.current = setTimeout(() => ask(currentTarget.value), TYPING_MS);
          }}
        />
      </form>
    </search>
  );
}
