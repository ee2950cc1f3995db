import type { NotebookWire, SavedSearchWire } from "../../http/explore-api/wire-notebook.ts";
import type { SuggestionWire } from "../../http/explore-api/wire-suggestions.ts";
import { useApi, usePlace } from "../application.ts";
import { useMarks } from "../notebook/use-marks.ts";
import { keep, kept } from "../theme.ts";
import { useAnswer } from "../use-answer.ts";

/** Searches that this browser remembers of an archive. */
const MAX_RECENT = 8;
/** Saved searches beside what else may be meant. */
const FEW_SAVED = 3;

/** What the box suggests: what the server knows, and what was searched before. */
export interface BoxSuggestion extends Omit<SuggestionWire, "kind"> {
  readonly kind: SuggestionWire["kind"] | "saved" | "recent";
}

/** The searches made last in an archive, the latest first. */
function recentSearches(archive: string): readonly string[] {
  try {
    const listed: unknown = JSON.parse(kept(`recent.${archive}`) ?? "[]");
    return Array.isArray(listed) ? listed.filter((q) => typeof q === "string") : [];
  } catch {
    return [];
  }
}

/** Remembers a search in this browser. */
export function rememberSearch(archive: string, q: string): void {
  if (q === "") return;
  const others = recentSearches(archive).filter((other) => other !== q);
  keep(`recent.${archive}`, JSON.stringify([q, ...others].slice(0, MAX_RECENT)));
}

/** Searches that were saved or made before: all of them for an empty box, else the saved ones that fit. */
export function usePastSearches(text: string, isOpen: boolean): readonly BoxSuggestion[] {
  const api = useApi();
  const marks = useMarks();
  const { archive } = usePlace();
  const path = isOpen && marks !== null ? api("/notebook?kind=search&limit=1000") : null;
  const { data } = useAnswer<NotebookWire>(path, marks?.writes.value);
  if (!isOpen) return [];
  const wanted = text.trim().toLowerCase();
  const saved = (data?.entries ?? []).map(({ id, value }) => ({
    kind: "saved" as const,
    label: id!,
    text: (value as SavedSearchWire).q,
    count: null,
  }));
  if (wanted !== "") return saved.filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, FEW_SAVED);
  const recent = recentSearches(archive).map((q) => ({ kind: "recent" as const, label: q, text: q, count: null }));
  return [...saved, ...recent];
}
