import { type Signal, signal } from "@preact/signals";
import { BASE_PATH } from "./addresses.ts";
import { Fault } from "./fault.ts";
import { REPLACED_HEADER } from "./shell-data.ts";

/** Maximum cached responses, so that going back is immediate: a page of results has about 20 KB. */
const MAX_KEPT = 200;

/** Paths that need no token. */
const OPEN_PATHS: readonly string[] = ["/health", "/session"].map((path) => BASE_PATH + path);

/** Cache of responses: data of an open archive never changes. */
export class Answers {
  /** True while the server does not respond. */
  readonly isOffline: Signal<boolean> = signal(false);
  /** True if the archive was extracted again while the server still shows the earlier one. */
  readonly isReplaced: Signal<boolean> = signal(false);
  /** True if a sign-in is required. */
  readonly isSignedOut: Signal<boolean> = signal(false);
  /** True if the session ended because the token was revoked or expired. */
  hasEnded = false;
  private isSignedIn = false;
  /** Number of the session: a rejection from an earlier session may arrive after the user signed in again. */
  private session = 0;
  /** In LRU order. */
  private readonly kept = new Map<string, unknown>();

  /** @param first responses embedded in the page, by path */
  constructor(first: Readonly<Record<string, unknown>>) {
    for (const [path, data] of Object.entries(first)) this.kept.set(path, data);
  }

  /** A cached response, or null. */
  peek<T>(path: string): T | null {
    const found = this.kept.get(path);
    if (found === undefined) return null;
    this.kept.delete(path);
    this.kept.set(path, found);
    return found as T;
  }

  /** `data` of the response to a GET. Throws a Fault, or the reason of an aborted signal. */
  async ask<T>(path: string, abort?: AbortSignal): Promise<T> {
    const kept = this.peek<T>(path);
    if (kept !== null) return kept;
    const data = await this.send<T>(path, abort === undefined ? {} : { signal: abort });
    this.kept.set(path, data);
    if (this.kept.size > MAX_KEPT) this.kept.delete(this.kept.keys().next().value!);
    return data;
  }

  /**
   * Returns `data` of the response to any request, without caching. Throws a Fault, or the reason of an aborted
   * signal.
   */
  async send<T>(path: string, request: RequestInit): Promise<T> {
    const { session } = this;
    const response = await this.reach(path, request);
    const body = await bodyOf(response);
    if (response.status === 401) {
      if (session === this.session) this.signOut(this.isSignedIn);
    } else if (response.ok && !OPEN_PATHS.includes(path)) this.isSignedIn = true;
    if (!response.ok) throw faultOf(body, response);
    return (isEnveloped(body) ? body.data : body) as T;
  }

  /** The same for a POST of a JSON value. */
  post<T>(path: string, value: object, signal: AbortSignal | null = null): Promise<T> {
    const headers = { "content-type": "application/json" };
    return this.send<T>(path, { method: "POST", headers, body: JSON.stringify(value), signal });
  }

  /** Clears all cached responses: another user may sign in. @param hasEnded true if the session expired */
  signOut(hasEnded: boolean): void {
    this.kept.clear();
    this.hasEnded ||= hasEnded;
    this.isSignedIn = false;
    this.isSignedOut.value = true;
  }

  signIn(): void {
    this.session++;
    this.isSignedIn = true;
    this.hasEnded = false;
    this.isSignedOut.value = false;
  }

  /** Removes cached responses below a path after a change. */
  forget(prefix: string): void {
    for (const path of this.kept.keys()) if (path.startsWith(prefix)) this.kept.delete(path);
  }

  private async reach(path: string, request: RequestInit): Promise<Response> {
    try {
      const response = await fetch(path, request);
      const wasAway = this.isOffline.peek() || this.isReplaced.peek();
      this.isOffline.value = false;
      this.isReplaced.value = response.headers.has(REPLACED_HEADER);
      // A restarted server may show another archive.
      if (wasAway && !this.isReplaced.peek()) this.kept.clear();
      return response;
    } catch (cause) {
      if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
      this.isOffline.value = true;
      throw new Fault("OFFLINE", String(cause), 0);
    }
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  if (response.status === 204) return null;
  const isJson = response.headers.get("content-type")?.includes("json") ?? false;
  return isJson ? ((await response.json()) as unknown) : response.text();
}

function isEnveloped(body: unknown): body is { readonly data: unknown } {
  return typeof body === "object" && body !== null && "data" in body && "status" in body;
}

function faultOf(body: unknown, { status, statusText }: Response): Fault {
  const error =
    typeof body === "object" && body !== null && "error" in body
      ? (body.error as { readonly code?: string; readonly message?: string })
      : {};
  return new Fault(error.code ?? `HTTP ${status}`, error.message ?? statusText, status);
}
