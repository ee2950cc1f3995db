/** Where keys work, in the order help lists them. */
export const KEY_GROUPS = ["Everywhere", "Go to", "Results", "Conversation", "Calendar"] as const;
export type KeyGroup = (typeof KEY_GROUPS)[number];

/** What keys do. The help of the page, its commands, docs/page.md and the tests read this table. */
export const KEYS = [
  { name: "search", keys: ["/"], group: "Everywhere", does: "search" },
  { name: "commands", keys: ["Ctrl-k"], group: "Everywhere", does: "show all commands" },
  { name: "help", keys: ["?"], group: "Everywhere", does: "show the keys" },
  { name: "back", keys: ["Escape", "u"], group: "Everywhere", does: "go back, or close what is open" },
  { name: "copyLink", keys: ["c"], group: "Everywhere", does: "copy the link of what is shown" },
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
  { name: "export", keys: ["e"], group: "Results", does: "save what was found" },
  { name: "select", keys: ["x"], group: "Results", does: "choose, or leave out" },
  { name: "selectAll", keys: ["* a"], group: "Results", does: "choose all of this search" },
  {
    name: "tag",
    keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
    group: "Results",
    does: "set a tag, or take it away",
  },
  { name: "facets", keys: ["f"], group: "Results", does: "go to the facets" },
  { name: "sort", keys: ["s"], group: "Results", does: "change the sort order" },
  { name: "read", keys: ["r"], group: "Results", does: "read the whole result as one text" },
  { name: "nextMessage", keys: ["n"], group: "Conversation", does: "next message" },
  { name: "previousMessage", keys: ["p"], group: "Conversation", does: "previous message" },
  { name: "nextMatch", keys: ["Shift-n"], group: "Conversation", does: "next match" },
  { name: "previousMatch", keys: ["Shift-p"], group: "Conversation", does: "previous match" },
  { name: "unfold", keys: [";"], group: "Conversation", does: "unfold all that is quoted" },
  { name: "fold", keys: [":"], group: "Conversation", does: "fold all that is quoted" },
  { name: "tree", keys: ["t"], group: "Conversation", does: "tree of replies, or by time" },
  { name: "html", keys: ["h"], group: "Conversation", does: "formatted mail, or its text" },
  { name: "monospaced", keys: ["w"], group: "Conversation", does: "monospaced text" },
  { name: "nextMonth", keys: ["]"], group: "Calendar", does: "next month" },
  { name: "previousMonth", keys: ["["], group: "Calendar", does: "previous month" },
] as const satisfies readonly { name: string; keys: readonly string[]; group: KeyGroup; does: string }[];

export type KeyName = (typeof KEYS)[number]["name"];
