import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { UploadWire } from "../../http/upload-service/base/wire-uploads.ts";
import { Answers } from "../shell/answers.ts";
import { UploadList } from "./upload-list.ts";

/** The event stream of the page; the test sends its events. */
class Stream extends EventTarget {
  onopen: () => void = () => undefined;
  onerror: () => void = () => undefined;
  readonly readyState = 1;

  send(upload: UploadWire): void {
    this.dispatchEvent(new MessageEvent("upload", { data: JSON.stringify(upload) }));
  }

  close(): void {
    this.onopen = () => undefined;
  }
}

const upload = (upload_id: string, status: UploadWire["status"]) => ({ upload_id, status }) as UploadWire;

let stream: Stream;
let list: UploadList;
let close: () => void;
/** Pending responses of the service, oldest first. */
let asked: ((uploads: readonly UploadWire[]) => void)[];

/** Answers the oldest request, and lets the list process the response. */
async function answer(...uploads: readonly UploadWire[]): Promise<void> {
  asked.shift()!(uploads);
  await new Promise((resolve) => setTimeout(resolve));
}
const shown = () => list.uploads.peek()?.map(({ upload_id, status }) => `${upload_id} ${status}`);

beforeEach(() => {
  asked = [];
  vi.stubGlobal(
    "EventSource",
    class {
      static readonly OPEN = 1;

      constructor() {
        stream = new Stream();
        // biome-ignore lint/correctness/noConstructorReturn: what the page listens to is the stream that the test holds
        return stream;
      }
    },
  );
  vi.stubGlobal("fetch", (path: string) =>
    path === "/session"
      ? Promise.resolve(Response.json({ name: "anybody", may_upload: true, may_delete: "all" }))
      : new Promise<Response>((resolve) => {
          asked.push((uploads) => resolve(Response.json(uploads)));
        }),
  );
  list = new UploadList(new Answers({}));
  close = list.open();
});
afterEach(() => {
  close();
  vi.unstubAllGlobals();
});

it("shows the uploads of the service and their status", async () => {
  await answer(upload("a", "queued"));
  stream.send(upload("a", "running"));
  stream.send(upload("b", "queued"));
  expect(shown()).toEqual(["b queued", "a running"]);
});

it("repeats a request if an event arrived before an older response", async () => {
  await answer(upload("a", "queued"));
  const looked = list.look();
  stream.send(upload("a", "running"));
  await answer(upload("a", "queued"));
  expect(shown()).toEqual(["a running"]);
  await answer(upload("a", "running"), upload("b", "queued"));
  await looked;
  expect(shown()).toEqual(["a running", "b queued"]);
});

it("ignores a response older than a later request", async () => {
  void list.look();
  await answer(upload("a", "queued"));
  expect(shown()).toBeUndefined();
  await answer();
  expect(shown()).toEqual([]);
});

it("removes an upload that was canceled elsewhere", async () => {
  await answer(upload("a", "queued"), upload("b", "queued"));
  stream.send(upload("a", "cancelled"));
  expect(shown()).toEqual(["b queued"]);
});

it("refreshes when it reconnects", async () => {
  await answer(upload("a", "queued"));
  stream.onopen();
  await answer();
  expect(shown()).toEqual([]);
});
