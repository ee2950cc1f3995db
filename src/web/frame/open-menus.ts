import { useEffect } from "preact/hooks";

const OPEN_MENUS = "details.menu[open]";

/** Closes what hangs over a view: a dialog, a menu, or the facets of a phone. False where nothing does. */
export function closeWhatIsOpen(): boolean {
  const dialog = document.querySelector<HTMLDialogElement>("dialog:modal");
  if (dialog !== null) {
    dialog.close();
    return true;
  }
  const menu = document.querySelector<HTMLDetailsElement>(OPEN_MENUS);
  if (menu !== null) {
    menu.open = false;
    menu.querySelector("summary")?.focus();
    return true;
  }
  const close = document.querySelector<HTMLElement>(".facets.shown button.narrow");
  close?.click();
  return close !== null;
}

/** Closes menus when somebody presses anything outside of them. */
export function useMenusThatClose(): void {
  useEffect(() => {
    const close = ({ target }: MouseEvent): void => {
      for (const menu of document.querySelectorAll<HTMLDetailsElement>(OPEN_MENUS))
        if (!(target instanceof Node && menu.contains(target))) menu.open = false;
    };
    addEventListener("click", close);
    return () => removeEventListener("click", close);
  }, []);
}
