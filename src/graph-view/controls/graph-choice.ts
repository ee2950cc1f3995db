/** A selection in the graph as stored in the URL. Empty strings mean none. */
export interface GraphChoice {
  /** Id of the contact whose details are shown. */
  readonly contact: string;
  readonly isTable: boolean;
  /** Months, `2001-05`: shows contacts seen between them. */
  readonly from: string;
  readonly to: string;
  /** Slots of the hidden communities, separated by commas. */
  readonly hidden: string;
}

export const NO_CHOICE: GraphChoice = { contact: "", isTable: false, from: "", to: "", hidden: "" };

/** Links from contacts to other views. */
export interface GraphLinks {
  person(id: string): string;
  /** The graph around one contact. */
  around(id: string): string;
  /** The mail between two contacts. */
  between(one: string, other: string): string;
}

/** Links and callbacks of the page that contains the graph. */
export interface GraphListeners {
  /** Null for a standalone graph. */
  readonly links: GraphLinks | null;
  /** Called whenever the selection changes. */
  onChoice(choice: GraphChoice): void;
}
