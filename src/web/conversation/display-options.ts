import { type Signal, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext, useMemo } from "preact/hooks";
import { useParameters, useRoute } from "../application.ts";
import type { HighlightedWords } from "./text-matches.ts";

/** Display options of a conversation, stored in the address. */
export interface DisplayOptions {
  readonly sought: HighlightedWords;
  /** Ids of the messages of the archive that the texts name, by their Message-IDs. */
  readonly mentioned: ReadonlyMap<string, string>;
  /** The last command for all collapsed parts; a counter, so that repeating a command works. */
  readonly folding: Signal<{ readonly isOpen: boolean; readonly turn: number }>;
  /** Messages that are shown as formatted mail. */
  readonly formatted: ReadonlySet<string>;
  /** True for a tree of replies, false by time. */
  readonly isTree: boolean;
  /** False to detect for each text whether it needs a monospaced font. */
  readonly isMonospaced: boolean;
  turnTree(): void;
  turnMonospaced(): void;
  /** Toggles the formatted display of a message. */
  turnFormatted(id: string): void;
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** The display options in the URL. */
export function useUrlDisplayOptions(sought: HighlightedWords): DisplayOptions {
  const { parameters } = useRoute();
  const change = useParameters();
  const folding = useMemo(() => signal({ isOpen: false, turn: 0 }), [sought]);
  const isTree = parameters.has("tree");
  const isMonospaced = parameters.has("mono");
  const formatted = new Set((parameters.get("html") ?? "").split(",").filter((id) => id !== ""));
  return {
    sought,
    mentioned: NOTHING,
    folding,
    formatted,
    isTree,
    isMonospaced,
    turnTree: () => change({ tree: isTree ? null : 1 }, "replace"),
    turnMonospaced: () => change({ mono: isMonospaced ? null : 1 }, "replace"),
    turnFormatted(id) {
      const others = [...formatted].filter((other) => other !== id);
      change({ html: (formatted.has(id) ? others : [...others, id]).join(",") }, "replace");
    },
  };
}

/** URL parameters about one conversation, which are removed for another one. */
export const CONVERSATION_PARAMETERS = { html: null, skip: null } as const;

export const DisplayOptionsContext = createContext<DisplayOptions | null>(null);

export function useDisplayOptions(): DisplayOptions {
  return useContext(DisplayOptionsContext)!;
}
