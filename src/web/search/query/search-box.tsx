import { useAddress, useApplication, useRoute } from "../../application.ts";
import { CONVERSATION_PARAMETERS } from "../../conversation/display-options.ts";
import { Icon, IconButton } from "../../parts/icon.tsx";
import { WORDS } from "../../words/words.ts";
import { QUERY_BOX } from "../state/edit-in-box.ts";
import { rememberSearch } from "../state/search-history.ts";
import { handleSuggestionKey, useWriting, type Writing } from "./search-input-state.ts";
import { SuggestionList } from "./suggestions.tsx";

const LIST = "suggestions";

/** The query box, with suggestions. */
export function SearchBox({ q }: { readonly q: string }) {
  const { navigation } = useApplication();
  const { view, archive, parameters } = useRoute();
  const address = useAddress();
  const writing = useWriting(q);
  const { text, suggestions, chosen, take, stop, input } = writing;
  const submit = (written: string): void => {
    const kept =
      view === "search" ? { ...Object.fromEntries(parameters), ...CONVERSATION_PARAMETERS, m: null, offset: null } : {};
    stop();
    rememberSearch(archive, written.trim());
    // Keys now apply to the results.
    input.current?.blur();
    navigation.go(address("search", {}, { ...kept, q: written.trim() }));
  };
  return (
    <search class="box">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit(text.value);
        }}
      >
        <Icon name="search" />
        <QueryInput writing={writing} />
        {text.value === "" ? null : <IconButton icon="close" name={WORDS.search.clear} onClick={() => submit("")} />}
        <button type="submit" class="button primary">
          {WORDS.search.submit}
        </button>
      </form>
      {suggestions.length === 0 ? null : (
        <SuggestionList id={LIST} suggestions={suggestions} chosen={chosen.value} onChoose={take} />
      )}
    </search>
  );
}

function QueryInput({ writing }: { readonly writing: Writing }) {
  const { input, text, suggestions, chosen, write, enter, stop } = writing;
  const isOpen = suggestions.length > 0;
  return (
    <input
      ref={input}
      id={QUERY_BOX}
      type="text"
      name="q"
      role="combobox"
      aria-autocomplete="list"
      aria-expanded={isOpen}
      aria-controls={isOpen ? LIST : undefined}
      aria-activedescendant={isOpen && chosen.value >= 0 ? `${LIST}-${chosen.value}` : undefined}
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      enterkeyhint="search"
      aria-label={WORDS.search.label}
      placeholder={WORDS.search.placeholder}
      value={text.value}
      onInput={({ currentTarget: { value, selectionStart } }) => write(value, selectionStart ?? value.length)}
      onFocus={enter}
      onBlur={stop}
      onKeyDown={(event) => {
        if (handleSuggestionKey(writing, event.key)) event.preventDefault();
      }}
    />
  );
}
