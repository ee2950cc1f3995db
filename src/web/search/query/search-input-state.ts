import { type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type BoxSuggestion, useRecentSearches } from "../state/search-history.ts";
import { useSuggestions } from "./suggestions.tsx";

/** A query during typing. */
export interface Writing {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly text: Signal<string>;
  readonly suggestions: readonly BoxSuggestion[];
  /** Suggestion that Enter accepts; -1 for none. */
  readonly chosen: Signal<number>;
  /** Call when the text of the box has changed. */
  readonly write: (written: string, cursor: number) => void;
  /** Replaces the word at the cursor with a suggestion. */
  readonly take: (index: number) => void;
  /** Call when the box receives the focus: without a text, it suggests earlier searches. */
  readonly enter: () => void;
  readonly stop: () => void;
}

/** @param q the query in the URL, the initial text */
export function useWriting(q: string): Writing {
  const input = useRef<HTMLInputElement>(null);
  const text = useSignal(q);
  const cursor = useSignal(q.length);
  const isTyping = useSignal(false);
  const chosen = useSignal(-1);
  useEffect(() => {
    text.value = q;
    isTyping.value = false;
  }, [q]);
  const answer = useSuggestions(text.value, cursor.value, isTyping.value);
  const recent = useRecentSearches(text.value, isTyping.value);
  const suggestions: readonly BoxSuggestion[] = [...(answer?.suggestions ?? []), ...recent];
  const change = (written: string, at: number, goesOn: boolean): void => {
    text.value = written;
    cursor.value = at;
    chosen.value = -1;
    isTyping.value = goesOn;
  };
  return {
    input,
    text,
    suggestions,
    chosen,
    write: (written, at) => change(written, at, true),
    take(index) {
      const suggestion = suggestions[index];
      if (suggestion?.kind === "saved" || suggestion?.kind === "recent") {
        change(suggestion.text, suggestion.text.length, false);
        return;
      }
      if (answer === null || suggestion === undefined) return;
      // An operator waits for its value; everything else is complete.
      const isOperator = suggestion.text.endsWith(":");
      const before = text.value.slice(0, answer.start) + suggestion.text + (isOperator ? "" : " ");
      change(before + text.value.slice(answer.end).trimStart(), before.length, isOperator);
      requestAnimationFrame(() => input.current?.setSelectionRange(before.length, before.length));
    },
    enter() {
      if (text.peek() === "") isTyping.value = true;
    },
    stop() {
      isTyping.value = false;
    },
  };
}

/** Handles keys of the box while it has suggestions; returns true if a key was handled. */
export function handleSuggestionKey({ suggestions, chosen, take, stop, input }: Writing, key: string): boolean {
  const isOpen = suggestions.length > 0;
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step !== undefined && isOpen) chosen.value = Math.max(-1, Math.min(suggestions.length - 1, chosen.value + step));
  else if ((key === "Enter" || key === "Tab") && chosen.value >= 0) take(chosen.value);
  else if (key === "Escape" && isOpen) stop();
  else if (key === "Escape") input.current?.blur();
  else return false;
  return true;
}
