import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { keep, storedPreference } from "./theme.ts";

/** Maximum opened messages that this browser stores per archive. */
const MAX_OPENED = 1000;

/** The messages of an archive that were opened in this browser, which lists show as read. */
export class OpenedMessages {
  readonly ids: ReadonlySignal<ReadonlySet<string>>;
  private readonly opened: Signal<ReadonlySet<string>>;
  private readonly place: string;

  constructor(archive: string) {
    this.place = `opened.${archive}`;
    this.opened = signal(new Set((storedPreference(this.place) ?? "").split(" ").filter((id) => id !== "")));
    this.ids = this.opened;
  }

  add(id: string): void {
    if (this.opened.peek().has(id)) return;
    const ids = [...this.opened.peek(), id].slice(-MAX_OPENED);
    this.opened.value = new Set(ids);
    keep(this.place, ids.join(" "));
  }
}
