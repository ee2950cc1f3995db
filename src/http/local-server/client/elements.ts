/** The element of the fixed markup with that id. */
export function find<E extends HTMLElement>(id: string, kind: new () => E): E {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new TypeError(`the page has no ${kind.name} #${id}`);
  return element;
}

/** A new element. Text is set as text: nothing of a mail is ever parsed as markup. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className !== "") element.className = className;
  element.append(...children);
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

export function makeLink(className: string, href: string, ...children: readonly (Node | string)[]): HTMLAnchorElement {
  const link = make("a", className, ...children);
  link.href = href;
  return link;
}
