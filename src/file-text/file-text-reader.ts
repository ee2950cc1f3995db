import { type ChildProcess, fork } from "node:child_process";
import { builtFile, isExecutable } from "../built-files.ts";
import { fileKind } from "./file-kind.ts";
import type { FileText, MailedFile } from "./file-text.ts";
import { FILE_TIME_MS, type FileTextCall, type FileTextReply } from "./file-text-call.ts";
import type { ExtractionQuota } from "./zip-parts.ts";

/** Maximum bytes of a file; larger texts are logs or tables. */
const MAX_FILE_BYTES = 64 << 20;

/** Maximum unpacked bytes of the parts of a single document. */
export const MAX_UNPACKED_BYTES = 64 << 20;

/** Reason for a file that exceeded the time limit. */
export const TOO_SLOW = `it exceeded the limit of ${FILE_TIME_MS / 1000} seconds`;
export const TOO_LARGE = "it exceeded the memory limit";
const NO_PROCESS = "the reader process could not be started";

/** Entry of the process. In an executable, its start checks for this path, which does not exist as a file. */
const ENTRY = "file-text/file-text-process.js";

/** A call to the process, and its waiting caller. */
interface Waiting {
  readonly call: FileTextCall;
  readonly settle: (reply: FileTextReply) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Reads files one after another in a child process, so that a file can exhaust only the memory and time of that
 * process. It is started with the first file, and again after it was ended.
 */
export class FileTextReader {
  private child: ChildProcess | null = null;
  private waiting: Waiting | null = null;
  private last: Promise<unknown> = Promise.resolve();

  /**
   * Returns the text of a file; null if its kind is not supported. Never rejects. @param room bytes that its parts
   * may unpack to; reduced by reading
   */
  read(file: MailedFile, room: ExtractionQuota): Promise<FileText | null> {
    if (fileKind(file) === null) return Promise.resolve(null);
    if (file.bytes.length > MAX_FILE_BYTES)
      return Promise.resolve({ state: "unread", reason: `it is larger than ${MAX_FILE_BYTES} bytes` });
    const turn = this.last.then(() => this.ask({ file, roomBytes: room.bytes }));
    this.last = turn;
    return turn.then(({ read, roomBytes }) => {
      room.bytes = roomBytes;
      return read;
    });
  }

  /** Ends the process. */
  close(): void {
    this.end("nobody asks any more");
  }

  private ask(call: FileTextCall): Promise<FileTextReply> {
    return new Promise((settle) => {
      const child = this.child ?? this.start();
      if (child === null) return settle(unread(call, NO_PROCESS));
      this.waiting = { call, settle, timer: setTimeout(() => this.end(TOO_SLOW), FILE_TIME_MS) };
      child.ref();
      child.channel?.ref();
      // The `exit` event reports a process that has ended.
      child.send(call, () => undefined);
    });
  }

  private start(): ChildProcess | null {
    let child: ChildProcess;
    try {
      child = fork(isExecutable ? ENTRY : builtFile(ENTRY), [], {
        serialization: "advanced",
        stdio: ["ignore", "ignore", "ignore", "ipc"],
        execArgv: [],
      });
    } catch {
      // Node's permission model forbids child processes unless allowed.
      return null;
    }
    child.on("message", (reply: FileTextReply) => {
      if (this.child !== child) return;
      if (reply.isSpent) this.drop();
      this.settle(reply);
    });
    child.on("error", () => this.lost(child, NO_PROCESS));
    child.on("exit", () => this.lost(child, TOO_LARGE));
    this.child = child;
    return child;
  }

  private lost(child: ChildProcess, reason: string): void {
    if (this.child === child) this.end(reason);
  }

  private end(reason: string): void {
    this.drop();
    if (this.waiting !== null) this.settle(unread(this.waiting.call, reason));
  }

  private drop(): void {
    this.child?.kill("SIGKILL");
    this.child = null;
  }

  private settle(reply: FileTextReply): void {
    const { waiting } = this;
    this.waiting = null;
    clearTimeout(waiting?.timer);
    // An idle process does not keep its parent alive.
    this.child?.unref();
    this.child?.channel?.unref();
    waiting?.settle(reply);
  }
}

function unread({ roomBytes }: FileTextCall, reason: string): FileTextReply {
  return { read: { state: "unread", reason }, roomBytes, isSpent: false };
}
