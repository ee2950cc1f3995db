/** Scopes of keys, in the order of the help. */
export const KEY_GROUPS = ["Everywhere", "Go to", "Results", "Conversation", "Calendar"] as const;
type KeyGroup = (typeof KEY_GROUPS)[number];

/**
 * Shortcuts and their actions. The help of the page, its commands, docs/reference/web-page.md and the tests read this
 * table.
 */
export const KEYS = [
  { name: "search", keys: ["/"], group: "Everywhere", does: "go to the search box" },
  { name: "commands", keys: ["Ctrl-k"], group: "Everywhere", does: "show all commands" },
  { name: "help", keys: ["?"], group: "Everywhere", does: "show keyboard shortcuts" },
  { name: "back", keys: ["Escape", "u"], group: "Everywhere", does: "go back or close" },
  { name: "copyLink", keys: ["c"], group: "Everywhere", does: "copy link" },
  { name: "overview", keys: ["g o"], group: "Go to", does: "overview" },
  { name: "goSearch", keys: ["g s"], group: "Go to", does: "search" },
  { name: "people", keys: ["g p"], group: "Go to", does: "people" },
  { name: "topics", keys: ["g t"], group: "Go to", does: "topics" },
  { name: "files", keys: ["g f"], group: "Go to", does: "files" },
  { name: "calendar", keys: ["g c"], group: "Go to", does: "calendar" },
  { name: "graph", keys: ["g g"], group: "Go to", does: "graph" },
  { name: "notebook", keys: ["g b"], group: "Go to", does: "notebook" },
  { name: "archives", keys: ["g a"], group: "Go to", does: "archives" },
  { name: "next", keys: ["j"], group: "Results", does: "next" },
  { name: "previous", keys: ["k"], group: "Results", does: "previous" },
  { name: "open", keys: ["Enter", "o"], group: "Results", does: "open" },
  { name: "export", keys: ["e"], group: "Results", does: "export results" },
  { name: "select", keys: ["x"], group: "Results", does: "select or deselect" },
  { name: "selectAll", keys: ["* a"], group: "Results", does: "select all results" },
  {
    name: "tag",
    keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
    group: "Results",
    does: "add or remove tag",
  },
  { name: "facets", keys: ["f"], group: "Results", does: "go to filters" },
  { name: "sort", keys: ["s"], group: "Results", does: "change the sort order" },
  { name: "read", keys: ["r"], group: "Results", does: "read results as full text" },
  { name: "nextMessage", keys: ["n"], group: "Conversation", does: "next message" },
  { name: "previousMessage", keys: ["p"], group: "Conversation", does: "previous message" },
  { name: "nextMatch", keys: ["Shift-n"], group: "Conversation", does: "next match" },
  { name: "previousMatch", keys: ["Shift-p"], group: "Conversation", does: "previous match" },
  { name: "unfold", keys: [";"], group: "Conversation", does: "expand quoted text" },
  { name: "fold", keys: [":"], group: "Conversation", does: "collapse quoted text" },
  { name: "tree", keys: ["t"], group: "Conversation", does: "toggle reply tree" },
  { name: "html", keys: ["h"], group: "Conversation", does: "toggle formatted view" },
  { name: "monospaced", keys: ["w"], group: "Conversation", does: "toggle monospaced text" },
  { name: "nextMonth", keys: ["]"], group: "Calendar", does: "next month" },
  { name: "previousMonth", keys: ["["], group: "Calendar", does: "previous month" },
] as const satisfies readonly { name: string; keys: readonly string[]; group: KeyGroup; does: string }[];

export type KeyName = (typeof KEYS)[number]["name"];
