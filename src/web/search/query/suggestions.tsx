import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { SuggestionsWire } from "../../../http/explore-api/wire/wire-suggestions.ts";
import { useApi, useApplication } from "../../application.ts";
import { counted } from "../../parts/formats.ts";
import { formatParameters } from "../../shell/addresses.ts";
import { WORDS } from "../../words/words.ts";
import type { BoxSuggestion } from "../state/search-history.ts";

/** Delay in milliseconds after a key before suggestions are requested. */
const REST_MS = 80;

/** Suggestions for the word at the cursor; null while loading. */
export function useSuggestions(text: string, cursor: number, isOpen: boolean): SuggestionsWire | null {
  const { answers } = useApplication();
  const api = useApi();
  const found = useSignal<{ readonly text: string; readonly answer: SuggestionsWire } | null>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const control = new AbortController();
    const timer = setTimeout(() => {
      answers.ask<SuggestionsWire>(api(`/suggest${formatParameters({ q: text, at: cursor })}`), control.signal).then(
        (answer) => {
          if (!control.signal.aborted) found.value = { text, answer };
        },
        // On an error, there are no suggestions.
        () => undefined,
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [text, cursor, isOpen]);
  return isOpen && found.value?.text === text ? found.value.answer : null;
}

interface SuggestionListProps {
  readonly id: string;
  readonly suggestions: readonly BoxSuggestion[];
  /** The suggestion that Enter accepts; -1 for none. */
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
}

/** The suggestions below the box. */
export function SuggestionList({ id, suggestions, chosen, onChoose }: SuggestionListProps) {
  return (
    <div id={id} class="suggestions" role="listbox" aria-label={WORDS.search.suggestions}>
      {suggestions.map(({ kind, text, label, count }, index) => (
        // The search box keeps the focus and handles keys.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles the keys of its list
        <div
          key={`${kind} ${text}`}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(index)}
        >
          <span class="kind">{WORDS.search.suggestionKinds[kind]}</span>
          <bdi class="label">{label}</bdi>
          {label === text ? null : <bdi class="quiet">{text}</bdi>}
          <span class="count">{count === null ? "" : counted(count)}</span>
        </div>
      ))}
    </div>
  );
}
