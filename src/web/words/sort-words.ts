/** Orders of search results, on all pages. */
export const SORT_WORDS = {
  relevance: "Best match",
  newest: "Newest first",
  oldest: "Oldest first",
  sender: "By sender",
  size: "Largest first",
} as const;
