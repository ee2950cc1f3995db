export interface ViewParts {
  readonly graphButton: HTMLElement;
  readonly tableButton: HTMLElement;
  readonly graphView: HTMLElement;
  readonly tableView: HTMLElement;
}

/** Graph or table. @param onTable called before the table is shown. @returns a function that shows the graph. */
export function switchViews(
  { graphButton, tableButton, graphView, tableView }: ViewParts,
  onTable: () => void,
): () => void {
  const show = (isGraph: boolean): void => {
    if (!isGraph) onTable();
    graphView.hidden = !isGraph;
    tableView.hidden = isGraph;
    graphButton.setAttribute("aria-pressed", String(isGraph));
    tableButton.setAttribute("aria-pressed", String(!isGraph));
  };
  graphButton.addEventListener("click", () => show(true));
  tableButton.addEventListener("click", () => show(false));
  return () => show(true);
}
