/** The element of the fixed markup with that id. */
export function find<E extends HTMLElement>(id: string, kind: new () => E): E {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new TypeError(`the page has no ${kind.name} #${id}`);
  return element;
}

/** A new element. Text is set as text: nothing on this page is ever parsed as markup. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  text = "",
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className !== "") element.className = className;
  if (text !== "") element.textContent = text;
  return element;
}

/** Text from mail: isolated, so that right-to-left letters do not turn what stands around it. */
export function makeMailText<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  text: string,
): HTMLElementTagNameMap[K] {
  const element = make(tag, className, text);
  element.dir = "auto";
  return element;
}

export function makeButton(className: string, text: string, onClick: () => void): HTMLButtonElement {
  const button = make("button", className, text);
  button.type = "button";
  button.addEventListener("click", onClick);
  return button;
}
