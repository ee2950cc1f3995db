import { counted } from "../parts/formats.ts";

/** Texts of the contact graph, loaded without the other tables. */
export const GRAPH_WORDS = {
  title: "Contact graph",
  around: (name: string) => `Contacts of ${name}`,
  whole: "Whole graph",
  none: "No correspondence to show",
  /**
   * Description of the shown people: in the whole graph those with the most mail, around a person those with the
   * strongest ties.
   */
  summary: (shown: number, all: number, isWhole: boolean) =>
    shown === all
      ? `${counted(all)} contacts`
      : `${counted(shown)} of ${counted(all)} contacts, ${isWhole ? "those with the most messages" : "those with the strongest ties"}`,
  most: "Contact limit",
  upTo: (count: number) => `Up to ${counted(count)}`,
  others: "Find contacts",
} as const;
