import { createMcpHandler } from "@modelcontextprotocol/server";
import { createMailServer, type MailServerSetting } from "./mail-server.ts";
import type { MailSource } from "./tool-row.ts";

/** Responds to protocol requests over HTTP. */
export interface MailHandler {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** Maximum open subscriptions; an open archive never changes, but subscriptions are accepted. */
const MAX_SUBSCRIPTIONS = 16;

/** Each request has its own server; the protocol version of 2026 and earlier ones are supported. */
export function createMailHandler(source: MailSource, setting: MailServerSetting): MailHandler {
  return createMcpHandler(() => createMailServer(source, setting), {
    responseMode: "json",
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror: setting.onFault,
  });
}
