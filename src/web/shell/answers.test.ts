import { afterEach, describe, expect, it, vi } from "vitest";
import { Answers } from "./answers.ts";

/** A response that arrives when it is released. */
function pending(status: number): { readonly response: Promise<Response>; readonly release: () => void } {
  let resolve: (response: Response) => void = () => undefined;
  const promise = new Promise<Response>((done) => {
    resolve = done;
  });
  return { response: promise, release: () => resolve(new Response("{}", { status })) };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("Answers", () => {
  it("stays signed in if a late request of the earlier session is rejected", async () => {
    const [early, late, login] = [pending(401), pending(401), pending(200)];
    const responses = [early, late, login].map(({ response }) => response);
    vi.stubGlobal("fetch", () => responses.shift());
    const answers = new Answers({});
    const first = answers.send("/early", {});
    const second = answers.send("/late", {});
    early.release();
    await expect(first).rejects.toThrow();
    expect(answers.isSignedOut.value).toBe(true);
    const signedIn = answers.send("/session", { method: "POST" });
    login.release();
    await signedIn;
    answers.signIn();
    late.release();
    await expect(second).rejects.toThrow();
    expect(answers.isSignedOut.value).toBe(false);
  });

  it("signs out if the current session is rejected", async () => {
    vi.stubGlobal("fetch", async () => new Response("{}", { status: 401 }));
    const answers = new Answers({});
    answers.signIn();
    await expect(answers.send("/any", {})).rejects.toThrow();
    expect(answers.isSignedOut.value).toBe(true);
    expect(answers.hasEnded).toBe(true);
  });

  it("does not report an ended session to a user who mistypes the first token", async () => {
    const responses = [401, 200, 401].map((status) => new Response("{}", { status }));
    vi.stubGlobal("fetch", async () => responses.shift());
    const answers = new Answers({});
    await expect(answers.send("/uploads", {})).rejects.toThrow();
    await answers.send("/session", {});
    await expect(answers.send("/session", { method: "POST" })).rejects.toThrow();
    expect(answers.hasEnded).toBe(false);
  });
});
