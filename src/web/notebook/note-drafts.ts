import type { PermissionsWire } from "../../http/upload-service/service/wire-access.ts";
import { BASE_PATH } from "../shell/addresses.ts";
import type { Answers } from "../shell/answers.ts";

/** An unsaved note, and the note that it started from. */
interface NoteDraft {
  readonly text: string;
  readonly base: string;
}

/** Unsaved notes, kept while other views are open and across expired tokens, for their author. */
export class NoteDrafts {
  private readonly drafts = new Map<string, NoteDraft>();
  /** Name of the author; null before a draft can be started. */
  private writer: Promise<string> | null = null;

  constructor(
    private readonly answers: Answers,
    private readonly needsToken: boolean,
  ) {
    // Closing or reloading the page would lose them: the browser asks for confirmation.
    addEventListener("beforeunload", (event) => {
      if (this.drafts.size > 0) event.preventDefault();
    });
  }

  of(thing: string): NoteDraft | undefined {
    return this.drafts.get(thing);
  }

  /**
   * Call when a note can be started: the author is determined then, not at the first letter, when the session may be
   * about to end.
   */
  open(): void {
    if (this.needsToken) this.writer ??= this.signedIn();
  }

  keep(thing: string, draft: NoteDraft): void {
    if (draft.text === draft.base) this.drafts.delete(thing);
    else this.drafts.set(thing, draft);
  }

  forget(thing: string): void {
    this.drafts.delete(thing);
  }

  /** Discards all drafts on sign-out. */
  clear(): void {
    this.drafts.clear();
    this.writer = null;
  }

  /** Call after a sign-in, before anything is shown: discards notes of another user. */
  async handOver(): Promise<void> {
    if (this.writer !== null && (await this.writer) !== (await this.signedIn())) this.clear();
  }

  private signedIn(): Promise<string> {
    const permissions = this.answers.send<PermissionsWire>(`${BASE_PATH}/session`, {});
    return permissions.then(
      ({ name }) => name,
      () => "",
    );
  }
}
