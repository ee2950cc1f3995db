import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useAddress, useApplication, usePlace } from "../application.ts";
import { Icon } from "../icon.tsx";
import { WORDS } from "../words.ts";

/** The box that a query is typed into. */
export function SearchBox({ q }: { readonly q: string }) {
  const { navigation } = useApplication();
  const { view, parameters } = usePlace();
  const address = useAddress();
  const text = useSignal(q);
  useEffect(() => {
    text.value = q;
  }, [q]);
  const submit = (written: string): void => {
    const kept = view === "search" ? { match: parameters.get("match"), view: parameters.get("view") } : {};
    navigation.go(address("search", {}, { q: written.trim(), ...kept }));
  };
  return (
    <search class="box">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // Keys are for the results now.
          (document.activeElement as HTMLElement | null)?.blur();
          submit(text.value);
        }}
      >
        <Icon name="search" />
        <input
          id="q"
          type="text"
          name="q"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterkeyhint="search"
          aria-label={WORDS.search.label}
          placeholder={WORDS.search.placeholder}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
          onKeyDown={(event) => {
            if (event.key === "Escape") event.currentTarget.blur();
          }}
        />
        {text.value === "" ? null : (
          <button type="button" class="tool" aria-label={WORDS.search.clear} onClick={() => submit("")}>
            <Icon name="close" />
          </button>
        )}
        <button type="submit" class="button primary">
          {WORDS.search.submit}
        </button>
      </form>
    </search>
  );
}
