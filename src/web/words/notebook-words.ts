import { counted } from "../parts/formats.ts";
import { number } from "./nouns.ts";

/** Words of the notebook. */
export const NOTEBOOK_WORDS = {
  selection: {
    label: "Selection",
    chosen: (count: number) => `${counted(count)} selected`,
    all: (count: number) => `Select all ${counted(count)}`,
    tooMany: (most: number) => `Up to ${counted(most)} can be selected individually; select all results instead`,
    tag: "Tag selection",
    print: "Print as full text",
    copy: "Copy links",
    copied: (count: number) => `${number(count, "link")} copied`,
    clear: "Clear selection",
    pick: (place: string) => `Select result ${place}`,
  },
  notebook: {
    edit: {
      message: "Add tag or note",
      thread: "Tag or annotate this conversation",
      person: "Tag or annotate this person",
      topic: "Tag or annotate this topic",
    },
    saveSearch: "Save search",
    searchName: "Search name",
    searchSaved: (name: string) => `Search saved: ${name}`,
    tags: "Tags",
    newTag: "New tag, then Enter",
    review: "Review",
    reviews: { open: "Open", relevant: "Relevant", not_relevant: "Not relevant", privileged: "Privileged" },
    note: "Note",
    hasNote: "Has a note",
    saveNote: "Save note",
    replaceNote: "Overwrite with my version",
    saved: "Saved to notebook",
    noteChanged: "Someone else changed this note. Current version:",
    noteRemoved: "(deleted)",
    refused: (reason: string) => `Not saved: ${reason}`,
    noTagOfKey: (key: string) => `No tag has the shortcut ${key}. Create one with "Add tag or note"`,
    turned: (tag: string, isSet: boolean, count: number) =>
      `${isSet ? "Tagged" : "Untagged"} ${tag}${count === 1 ? "" : `: ${counted(count)}`}`,
  },
} as const;
