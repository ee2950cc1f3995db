import { counted } from "./formats.ts";

/** Words of the contact graph, which needs none of the tables. */
export const GRAPH_WORDS = {
  title: "Contact graph",
  around: (name: string) => `Contacts of ${name}`,
  whole: "Whole graph",
  none: "Nobody wrote to anybody",
  said: (shown: number, all: number) =>
    shown === all ? `${counted(all)} contacts` : `${counted(shown)} of ${counted(all)} contacts`,
} as const;
