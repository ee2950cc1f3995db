import { appendFileSync, closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Destination of generated messages. */
export interface MailSink {
  add(mailbox: string, message: Buffer): void;
  close(): void;
}

/** An mboxrd file: lines that begin with `From ` (quoted or not) get another `>`. */
export class MboxSink implements MailSink {
  private readonly descriptor: number;
  private waiting: Buffer[] = [];
  private waitingBytes = 0;

  constructor(path: string) {
    this.descriptor = openSync(path, "w");
  }

  add(_mailbox: string, message: Buffer): void {
    const text = message.toString("latin1").replaceAll(/^(>*From )/gm, ">$1");
    const bytes = Buffer.from(
      `From bench@bench.example Mon Jan  1 00:00:00 2001\n${text}${text.endsWith("\n") ? "\n" : "\n\n"}`,
      "latin1",
    );
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
    if (this.waitingBytes > 4 << 20) this.flush();
  }

  close(): void {
    this.flush();
    closeSync(this.descriptor);
  }

  private flush(): void {
    const bytes = Buffer.concat(this.waiting);
    for (let written = 0; written < bytes.length; ) written += writeSync(this.descriptor, bytes, written);
    this.waiting = [];
    this.waitingBytes = 0;
  }
}

/** A tree of Maildirs, one per mailbox, as mu and notmuch index it. */
export class MaildirSink implements MailSink {
  private readonly made = new Set<string>();
  private count = 0;

  constructor(private readonly root: string) {}

  add(mailbox: string, message: Buffer): void {
    const directory = join(this.root, ...mailbox.split("/").map((level) => level.replaceAll(/[^A-Za-z0-9_-]/g, "_")));
    if (!this.made.has(directory)) {
      for (const part of ["cur", "new", "tmp"]) mkdirSync(join(directory, part), { recursive: true });
      this.made.add(directory);
    }
    this.count++;
    writeFileSync(join(directory, "cur", `${this.count}.bench:2,S`), message);
  }

  close(): void {
    appendFileSync(join(this.root, ".bench-complete"), `${this.count}\n`);
  }
}
