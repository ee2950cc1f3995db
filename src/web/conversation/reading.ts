import { type Signal, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { SoughtWords } from "./text-matches.ts";

/** How the messages of a conversation are read. */
export interface Reading {
  readonly sought: SoughtWords;
  /** What was asked last for all that is folded; grows, so that asking twice works twice. */
  readonly folding: Signal<{ readonly isOpen: boolean; readonly turn: number }>;
  /** Messages that are shown as formatted mail. */
  readonly formatted: Signal<ReadonlySet<string>>;
  /** True for a tree of replies, false by time. */
  readonly isTree: Signal<boolean>;
  /** Null to let each text say whether it needs a monospaced font. */
  readonly isMonospaced: Signal<boolean | null>;
}

export function createReading(sought: SoughtWords): Reading {
  return {
    sought,
    folding: signal({ isOpen: false, turn: 0 }),
    formatted: signal<ReadonlySet<string>>(new Set()),
    isTree: signal(false),
    isMonospaced: signal<boolean | null>(null),
  };
}

export const ReadingContext = createContext<Reading | null>(null);

export function useReading(): Reading {
  return useContext(ReadingContext)!;
}
