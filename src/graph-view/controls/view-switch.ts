interface ViewParts {
  readonly graphButton: HTMLElement;
  readonly tableButton: HTMLElement;
  readonly graphView: HTMLElement;
  readonly tableView: HTMLElement;
}

export interface ViewSwitch {
  show(view: "graph" | "table"): void;
  isTable(): boolean;
  listen(listener: () => void): void;
}

/** Graph or table. @param onTable called before the table is shown. */
export function switchViews(
  { graphButton, tableButton, graphView, tableView }: ViewParts,
  onTable: () => void,
): ViewSwitch {
  const listeners: (() => void)[] = [];
  const show = (view: "graph" | "table"): void => {
    const isGraph = view === "graph";
    if (!isGraph) onTable();
    graphView.hidden = !isGraph;
    tableView.hidden = isGraph;
    graphButton.setAttribute("aria-pressed", String(isGraph));
    tableButton.setAttribute("aria-pressed", String(!isGraph));
    for (const listener of listeners) listener();
  };
  graphButton.addEventListener("click", () => show("graph"));
  tableButton.addEventListener("click", () => show("table"));
  return { show, isTable: () => graphView.hidden !== false, listen: (listener) => void listeners.push(listener) };
}
