/** A new element. Text is set as text: nothing here is ever parsed as markup. */
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

/** Text from mail, isolated so that right-to-left letters do not affect the text around it. */
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

/** Creates an element of that id, with attributes and contents. */
export function createElementWithId<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  id: string,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (id !== "") element.id = id;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
