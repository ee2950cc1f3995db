import { KEYS, type KeyName } from "./key-table.ts";

/** Key handlers; `key` is the last one pressed. A handler that returns false leaves the key to others. */
export type KeyHandlers = Partial<Readonly<Record<KeyName, (key: string) => unknown>>>;

/** Milliseconds within which the second key of a sequence must follow. */
const SEQUENCE_MS = 1500;

const NAME_OF_KEYS: ReadonlyMap<string, KeyName> = new Map(
  KEYS.flatMap(({ name, keys }) => keys.map((written) => [written, name] as const)),
);
const STARTS: ReadonlySet<string> = new Set(
  [...NAME_OF_KEYS.keys()].filter((keys) => keys.includes(" ")).map((keys) => keys.split(" ")[0]!),
);

/** Elements that handle keys themselves. */
const TYPED = "input:not([type=checkbox]):not([type=radio]):not([type=range]):not([type=button]), textarea, select";
/** Elements with their own action for Enter. */
const PRESSED = "a, button, summary, [role=option], [role=slider]";

/** Listens for keys and passes each to the topmost view that handles it. */
export class Keyboard {
  private readonly layers: KeyHandlers[] = [];
  private start = "";
  private startedAt = 0;

  constructor() {
    addEventListener("keydown", (event) => this.press(event));
  }

  /** Adds key handlers of a view; returns a function that removes them. */
  layer(handlers: KeyHandlers): () => void {
    this.layers.push(handlers);
    return () => void this.layers.splice(this.layers.indexOf(handlers), 1);
  }

  /** True if a key has a handler here. */
  knows(name: KeyName): boolean {
    return this.layers.some((handlers) => handlers[name] !== undefined);
  }

  /** Handles a key. */
  run(name: KeyName, key = ""): boolean {
    return this.layers.toReversed().some((handlers) => {
      const handler = handlers[name];
      return handler !== undefined && handler(key) !== false;
    });
  }

  private press(event: KeyboardEvent): void {
    const written = writtenKey(event);
    if (written === null || event.defaultPrevented || !isFree(event, written)) return;
    // An overlay handles all keys, except the one that closes it.
    if (document.querySelector("dialog:modal") !== null && NAME_OF_KEYS.get(written) !== "back") return;
    const isSecond = this.start !== "" && event.timeStamp - this.startedAt < SEQUENCE_MS;
    const name = (isSecond && NAME_OF_KEYS.get(`${this.start} ${written}`)) || NAME_OF_KEYS.get(written);
    const isStart = !isSecond && STARTS.has(written);
    this.start = isStart ? written : "";
    this.startedAt = event.timeStamp;
    if (name !== undefined && !isStart && this.run(name, written)) event.preventDefault();
  }
}

function writtenKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string | null {
  if (altKey) return null;
  if (ctrlKey || metaKey) return `Ctrl-${key.toLowerCase()}`;
  return shiftKey && /^\p{L}$/u.test(key) ? `Shift-${key.toLowerCase()}` : key;
}

/** Keys are disabled while typing, except those without text. */
function isFree({ target }: KeyboardEvent, written: string): boolean {
  if (!(target instanceof Element) || written.startsWith("Ctrl-")) return true;
  // Inside a menu, closes it; in a tag box without a note, submits it.
  if (target.matches(TYPED)) return written === "Escape" && target.closest("details.menu, .tag-choice") !== null;
  return written !== "Enter" || !target.matches(PRESSED);
}
