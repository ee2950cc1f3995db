import { counted } from "../parts/formats.ts";

/** Texts of the notebook view, loaded only there. */
export const NOTEBOOK_VIEW_WORDS = {
  export: "Export JSON",
  import: "Import JSON",
  imported: (taken: number, kept: number) =>
    `${counted(taken)} imported${kept === 0 ? "" : `, ${counted(kept)} already present`}`,
  progress: "Review progress",
  entries: "Marked items",
  kind: "Kind",
  kinds: { message: "Message", thread: "Conversation", person: "Person", topic: "Topic", search: "", tag: "" },
  what: "Item",
  marked: "Marked",
  lost: "no longer in this archive",
  tag: "Tag",
  color: "Color",
  colorOf: (name: string) => `Color of ${name}`,
  digit: "Shortcut",
  digitOf: (name: string) => `Shortcut for ${name}`,
  noDigit: "none",
  things: "Items",
  messages: "Messages",
  remove: "Delete",
  removeTag: (name: string) => `Delete tag ${name}`,
  searches: "Saved searches",
  search: "Search",
  query: "Query",
  removeSearch: (name: string) => `Delete search ${name}`,
  removed: (name: string) => `${name} deleted`,
  empty: "No tags or notes yet",
  emptyHint: 'Use "Add tag or note" below a message, or save a search next to the search box.',
} as const;
