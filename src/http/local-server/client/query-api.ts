import type {
  MessageDetailWire,
  MessageWire,
  PaginationWire,
  SearchResultWire,
  ThreadMessageWire,
} from "../../query-api/wire.ts";

/** Results shown at once. */
export const PAGE_SIZE = 50;

export interface SearchAnswer {
  readonly results: readonly SearchResultWire[];
  readonly query_time_ms: number;
}
export interface MessagePage {
  readonly messages: readonly MessageWire[];
  readonly pagination: PaginationWire;
}
export interface ThreadMessages {
  readonly subject: string;
  readonly messages: readonly ThreadMessageWire[];
}

export function search(query: string, limit: number, signal: AbortSignal): Promise<SearchAnswer> {
  return ask("/search", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, limit }),
    signal,
  });
}

export function listMessages(parameters: URLSearchParams, signal: AbortSignal): Promise<MessagePage> {
  return ask(`/messages?${parameters}`, { signal });
}

export function readMessage(id: string, signal: AbortSignal): Promise<MessageDetailWire> {
  return ask(`/messages/${encodeURIComponent(id)}`, { signal });
}

export function readThread(id: string, signal: AbortSignal): Promise<ThreadMessages> {
  return ask(`/threads/${encodeURIComponent(id)}/messages`, { signal });
}

/** `data` of the envelope; throws an Error with the server's own message. */
async function ask<T>(path: string, request: RequestInit): Promise<T> {
  const response = await fetch(`/api/query${path}`, request);
  const envelope = (await response.json()) as { readonly data: T; readonly error?: { readonly message: string } };
  if (envelope.error !== undefined) throw new Error(envelope.error.message);
  return envelope.data;
}
