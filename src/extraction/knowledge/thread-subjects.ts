import { TextColumn } from "../../columns/text-column.ts";
import { FIRST_THREAD, type MessageIndex } from "../../mail/ordinal.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { type NumberedThreads, threadMembers } from "./thread-rows.ts";

const NOT_OLDEST = 0;
const NOT_MET = -1;

/** The subject of the oldest message of each thread, caught while rows pass by. */
export class ThreadSubjects {
  /** By message: the number of its subject, from 1. */
  private readonly places: Int32Array;
  private readonly subjects = new TextColumn();

  constructor(threads: NumberedThreads, ledger: Ledger, restored: readonly string[]) {
    this.places = new Int32Array(ledger.messageCount).fill(NOT_OLDEST);
    const { starts, members } = threadMembers(threads, ledger);
    for (let thread = FIRST_THREAD; thread <= threads.last; thread++) {
      const first = starts[thread]!;
      if (first < starts[thread + 1]!) this.places[members[first]!] = NOT_MET;
    }
    for (const [message, subject] of restored.entries()) this.offer(message as MessageIndex, subject);
  }

  offer(message: MessageIndex, subject: string): void {
    if (this.places[message] !== NOT_MET) return;
    this.subjects.push(subject);
    this.places[message] = this.subjects.length;
  }

  of(message: MessageIndex): string {
    const place = this.places[message]!;
    return place > 0 ? this.subjects.at(place - 1) : "";
  }

  /** No subject is asked for any more. */
  clear(): void {
    this.subjects.clear();
  }
}
