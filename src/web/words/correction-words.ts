/** Words of corrections of people and topics. */
export const CORRECTION_WORDS = {
  same: "Same person?",
  yes: "Yes",
  no: "No",
  later: "Later",
  correct: "Make corrections",
  name: "Name",
  rename: "Rename",
  address: "Address",
  split: "Split off",
  topic: "Topic",
  merge: "Merge into this topic",
  hide: "Hide topic",
  undo: (last: string) => `Undo: ${last}`,
  applying: "Applying the correction…",
  failed: "Not applied. See the server log.",
} as const;
