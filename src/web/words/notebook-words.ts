import { counted } from "../parts/formats.ts";
import { number } from "./nouns.ts";

/** Words of what is written beside an archive. */
export const NOTEBOOK_WORDS = {
  selection: {
    label: "What is chosen",
    chosen: (count: number) => `${counted(count)} chosen`,
    all: (count: number) => `all ${counted(count)} of this search`,
    tooMany: (most: number) => `At most ${counted(most)} are chosen one by one: choose all of the search instead`,
    tag: "Tag what is chosen",
    print: "As one text, to print",
    copy: "Copy links",
    copied: (count: number) => `${number(count, "link")} copied`,
    clear: "Choose nothing",
    pick: (place: string) => `Choose result ${place}`,
  },
  notebook: {
    edit: {
      message: "Tag, note",
      thread: "Tag, note on the conversation",
      person: "Tag, note on this person",
      topic: "Tag, note on this topic",
    },
    saveSearch: "Save this search",
    searchName: "Name of the search",
    searchSaved: (name: string) => `Search saved: ${name}`,
    tags: "Tags",
    newTag: "New tag, Enter",
    review: "Review",
    reviews: { open: "Open", relevant: "Relevant", not_relevant: "Not relevant", privileged: "Privileged" },
    note: "Note",
    hasNote: "Has a note",
    saveNote: "Save the note",
    replaceNote: "Save mine in its place",
    saved: "Saved in the notebook",
    noteChanged: "Somebody else changed this note meanwhile. It now says:",
    noteRemoved: "(nothing: it was taken out)",
    refused: (reason: string) => `Not saved: ${reason}`,
    noTagOfKey: (key: string) => `No tag has the key ${key}: write one under "Tag, note"`,
    turned: (tag: string, isSet: boolean, count: number) =>
      `${isSet ? "Tagged" : "No longer tagged"} ${tag}${count === 1 ? "" : `: ${counted(count)}`}`,
  },
} as const;
