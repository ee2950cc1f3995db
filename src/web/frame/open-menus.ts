import { useEffect } from "preact/hooks";

const OPEN_MENUS = "details.menu[open]";

/** Closes the open dialog or menu. Returns false if there is none. */
export function closeOverlay(): boolean {
  const dialog = document.querySelector<HTMLDialogElement>("dialog:modal");
  if (dialog !== null) {
    dialog.close();
    return true;
  }
  const menu = document.querySelector<HTMLDetailsElement>(OPEN_MENUS);
  if (menu !== null) {
    menu.open = false;
    menu.querySelector("summary")?.focus();
  }
  return menu !== null;
}

/**
 * Closes the open part of a view: overlays, the editor of tags and notes, the facets on a phone; or returns from a
 * message to its list. Returns false if nothing is open.
 */
export function closeWhatIsOpen(): boolean {
  if (closeOverlay()) return true;
  const press = document.querySelector<HTMLElement>(".mark-bar > [aria-expanded=true], .facets.shown button.narrow");
  press?.click();
  const isBeside = press === null && document.activeElement?.closest(".reader");
  const focused = isBeside ? document.querySelector<HTMLElement>(".rows") : press;
  focused?.focus();
  return focused != null;
}

/** Closes menus on a click outside of them. */
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
