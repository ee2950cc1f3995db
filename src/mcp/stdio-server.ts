import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { createMailServer, type MailServerSetting } from "./mail-server.ts";
import type { MailSource } from "./tool-row.ts";

/** Maximum bytes of a request: a query has at most a few thousand characters. */
const MAX_REQUEST_BYTES = 1 << 20;

/** Streams of a connection, and the stop signal. */
interface StreamConnection extends MailServerSetting {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
}

/** Serves one client, one message per line, until its input ends or the signal aborts. */
export async function serveMailOverStreams(source: MailSource, connection: StreamConnection): Promise<void> {
  const { input, output, signal, onFault } = connection;
  const transport = new StdioServerTransport(input, output, { maxBufferSize: MAX_REQUEST_BYTES });
  const handle = serveStdio(() => createMailServer(source, connection), { transport, onerror: onFault });
  try {
    await Promise.race([once(input, "end"), once(input, "close"), once(signal, "abort")]);
  } finally {
    await handle.close();
  }
}
