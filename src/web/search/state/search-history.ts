import type { SuggestionWire } from "../../../http/explore-api/wire/wire-suggestions.ts";
import { useRoute } from "../../application.ts";
import { keep, storedPreference } from "../../shell/theme.ts";

/** Maximum searches that this browser stores per archive. */
const MAX_RECENT = 8;

/** Suggestions from the server and from the search history. */
export interface BoxSuggestion extends Omit<SuggestionWire, "kind"> {
  readonly kind: SuggestionWire["kind"] | "recent";
}

/** The latest searches of an archive, the newest first. */
function recentSearches(archive: string): readonly string[] {
  try {
    const listed: unknown = JSON.parse(storedPreference(`recent.${archive}`) ?? "[]");
    return Array.isArray(listed) ? listed.filter((q) => typeof q === "string") : [];
  } catch {
    return [];
  }
}

/** Stores a search in this browser. */
export function rememberSearch(archive: string, q: string): void {
  if (q === "") return;
  const others = recentSearches(archive).filter((other) => other !== q);
  keep(`recent.${archive}`, JSON.stringify([q, ...others].slice(0, MAX_RECENT)));
}

/** The latest searches, for an empty box. */
export function useRecentSearches(text: string, isOpen: boolean): readonly BoxSuggestion[] {
  const { archive } = useRoute();
  if (!isOpen || text.trim() !== "") return [];
  return recentSearches(archive).map((q) => ({ kind: "recent", label: q, text: q, count: null }));
}
